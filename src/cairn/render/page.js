// Each figure's data becomes a chart in place of its SVG.
"use strict";
(() => {
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (a, digits = 5) => {
    if (a == null) return "";
    const short = Number(a.toPrecision(digits)), size = Math.abs(short);
    return size > 0 && (size < 1e-3 || size >= 1e5) ? short.toExponential() : short.toString();
  };
  // With the digits that tell neighbours apart, of a small range of large numbers too.
  const tick_labels = (ticks) => {
    const largest = Math.max(...ticks.map(Math.abs)), step = ticks[1] - ticks[0];
    const digits = step > 0 ? Math.ceil(Math.log10(largest / step)) + 1 : 5;
    return ticks.map((a) => number(a, Math.min(15, Math.max(5, digits))));
  };
  const decade = (a) => (Math.abs(Math.log10(a) - Math.round(Math.log10(a))) < 1e-9 ? a : null);
  const charts = [];

  // The ranges of a figure's plane in which a unit is as long on either axis, for a chart of this size.
  const left = 62, below = 44, padding = [10, 18, 0, 0];
  function plane_ranges(figure, width, height) {
    const span = (columns) => {
      const all = columns.flat().filter((a) => a != null), low = Math.min(...all), high = Math.max(...all);
      return { middle: (low + high) / 2, size: 1.06 * (high - low) || 1 };
    };
    const x = span(figure.x_of), y = span(figure.columns);
    const across = width - left - padding[1], up = height - below - padding[0];
    const unit = Math.max(x.size / across, y.size / up);
    const range = (of, pixels) => [of.middle - (unit * pixels) / 2, of.middle + (unit * pixels) / 2];
    return { x: range(x, across), y: range(y, up) };
  }
  function plane_path(u, x, y, marks) {
    const path = new Path2D();
    let lifted = true;
    y.forEach((b, k) => {
      if (b == null || x[k] == null) return void (lifted = true);
      const at = [u.valToPos(x[k], "x", true), u.valToPos(b, "y", true)];
      if (marks) path.moveTo(at[0] + 3, at[1]), path.arc(...at, 3, 0, 2 * Math.PI);
      else if (lifted) path.moveTo(...at);
      else path.lineTo(...at);
      lifted = false;
    });
    return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 0 };
  }

  function chart(box) {
    const figure = JSON.parse(box.querySelector("script").textContent);
    const stacked = figure.style === "stacked", plane = figure.style === "plane";
    let columns = figure.columns;
    if (stacked) {
      let sum = figure.at.map(() => 0);
      columns = columns.map((column) => (sum = column.map((a, k) => (a ?? 0) + sum[k])));
    }
    const order = columns.map((_, k) => (stacked ? columns.length - 1 - k : k)); // the whole sum behind
    const axis = (a) => ({
      label: a.title, stroke: style("--soft"), font: "12px system-ui", labelFont: "13px system-ui", size: left,
      grid: { stroke: style("--rule"), width: 1,
              filter: (u, all) => (a.logarithmic && all.length > 40 ? all.map(decade) : all) },
      ticks: { stroke: style("--rule"), width: 1 },
      values: (u, all) => (a.logarithmic ? all.map((tick) => number(tick)) : tick_labels(all)),
    });
    const wide_enough = (u, labels) => Math.max(left, ...(labels ?? []).map((label) => 7 * label.length + 28));
    const points = figure.style === "points";
    const options = {
      title: figure.title, width: box.clientWidth - 32, height: plane ? 480 : 340,
      padding: plane ? padding : undefined,
      cursor: plane ? { show: false } : { sync: { key: "at" + figure.x.title } },
      legend: { live: !plane },
      scales: {
        x: { time: false, distr: figure.x.logarithmic ? 3 : 1,
             range: plane ? (u) => plane_ranges(figure, u.width, u.height).x : undefined },
        y: { distr: figure.y.logarithmic ? 3 : 1,
             range: plane ? (u) => plane_ranges(figure, u.width, u.height).y
                    : stacked ? (u, low, high) => [Math.min(0, low), high > 0 ? high * 1.04 : 1] : undefined },
      },
      axes: [{ ...axis(figure.x), size: below }, { ...axis(figure.y), size: plane ? left : wide_enough }],
      series: [{ label: figure.x.title, value: (u, a) => number(a) }].concat(order.map((k) => ({
        label: figure.names[k], stroke: figure.colours[k], width: stacked ? 0 : 1.75, spanGaps: points,
        fill: stacked ? figure.colours[k] : undefined, dash: figure.dotted[k] ? [3, 4] : undefined,
        paths: plane ? (u) => plane_path(u, figure.x_of[k], figure.columns[k], figure.marks[k])
               : figure.marks[k] ? () => null : undefined,
        points: { show: !plane && (figure.marks[k] || (points && !figure.dotted[k])), size: 6, fill: figure.colours[k] },
        value: (u, a, s, at) => number(at == null ? null : figure.columns[k][at]),
      }))),
    };
    // uPlot wants one x for all; in a plane the paths above draw what the figure holds.
    const data = plane ? [[0, 1]].concat(order.map(() => [0, 1])) : [figure.at].concat(order.map((k) => columns[k]));
    const drawn = new uPlot(options, data, box);
    box.classList.add("charted");
    charts.push({ box, drawn });
  }

  function draw() {
    for (const { drawn } of charts.splice(0)) drawn.destroy();
    document.querySelectorAll(".plot").forEach(chart);
  }
  draw();
  addEventListener("resize", () => {
    for (const { box, drawn } of charts) drawn.setSize({ width: box.clientWidth - 32, height: drawn.height });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
