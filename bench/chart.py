"""Line charts as SVG, without any library."""
import math
from html import escape

COLOURS = ["#1b6ca8", "#d1495b", "#2a9d5c", "#8a5fbf", "#c98a00", "#5b6770", "#0f9ba8", "#a8552b"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 190, 36, 52


def short(a):
    for unit, name in ((1e6, "M"), (1e3, "k")):
        if a >= unit:
            return f"{a / unit:.3g}{name}"
    return f"{a:g}"


def ticks(low, high, logarithmic, whole=False):
    if logarithmic:
        decades = [10.0**k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
        fine = [m * d for d in decades for m in ((1,) if high / low > 100 else (1, 2, 5))]
        return [t for t in fine if low <= t <= high * 1.0001]
    step = 10.0 ** math.floor(math.log10(high - low))
    step = next(s for s in (step / 5, step / 2, step, 2 * step) if (high - low) / s <= 7)
    if whole:
        step = max(1.0, step)
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def chart(title, x_label, y_label, curves, log_x=True, log_y=False):
    """curves: (name, [(x, y)], dashed); returns the text of an SVG."""
    xs = [x for _, points, _ in curves for x, _ in points]
    ys = [y for _, points, _ in curves for _, y in points]
    x_low, x_high = min(xs), max(xs)
    if x_low == x_high:
        x_low, x_high = (x_low / 2, 2 * x_high) if log_x else (x_low - 1, x_high + 1)
    y_low, y_high = (min(ys) / 1.2, 1.2 * max(ys)) if log_y else (0.0, 1.08 * max(ys))
    scale = {True: math.log, False: float}

    def place(a, low, high, logarithmic, begin, end):
        f = scale[logarithmic]
        return begin + (end - begin) * (f(a) - f(low)) / (f(high) - f(low))

    def px(a):
        return place(a, x_low, x_high, log_x, LEFT, WIDTH - RIGHT)

    def py(a):
        return place(a, y_low, y_high, log_y, HEIGHT - BOTTOM, TOP)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12" fill="#333"><title>{escape(title)}</title>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
           f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>']
    for t in ticks(x_low, x_high, log_x, whole=not log_x):
        out.append(f'<path d="M{px(t):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#e4e4e4"/>'
                   f'<text x="{px(t):.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">{short(t)}</text>')
    for t in ticks(y_low, y_high, log_y):
        out.append(f'<path d="M{LEFT} {py(t):.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>'
                   f'<text x="{LEFT - 7}" y="{py(t) + 4:.1f}" text-anchor="end">{short(t)}</text>')
    out.append(f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#888"/>'
               f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(x_label)}</text>'
               f'<text transform="translate(17 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
               f'{escape(y_label)}</text>')
    # Names stand where their curves end, moved apart where these are close.
    ends = sorted((py(points[-1][1]), k) for k, (_, points, _) in enumerate(curves))
    labels, above = {}, TOP - 9.0
    for y, k in ends:
        above = max(y, above + 15)
        labels[k] = above
    excess = max(0.0, above - (HEIGHT - BOTTOM))
    for k, (name, points, dashed) in enumerate(curves):
        colour, dash = COLOURS[k % len(COLOURS)], ' stroke-dasharray="5 4"' if dashed else ""
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{colour}"><title>{escape(name)}: {short(x)}, '
                f'{y:.3g}</title></circle>' for x, y in points]
        x, y = px(points[-1][0]), labels[k] - excess
        out.append(f'<path d="M{x + 4:.1f} {py(points[-1][1]):.1f}L{WIDTH - RIGHT + 12} {y:.1f}" stroke="{colour}" '
                   f'stroke-width="0.7"/><text x="{WIDTH - RIGHT + 15}" y="{y + 4:.1f}" fill="{colour}">'
                   f'{escape(name)}</text>')
    return "\n".join(out) + "\n</svg>\n"
