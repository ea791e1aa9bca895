// Each figure's data becomes a chart in place of its SVG.
"use strict";
(() => {
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (a) => {
    if (a == null) return "";
    const short = Number(a.toPrecision(5)), size = Math.abs(short);
    return size > 0 && (size < 1e-3 || size >= 1e5) ? short.toExponential() : short.toString();
  };
  const decade = (a) => (Math.abs(Math.log10(a) - Math.round(Math.log10(a))) < 1e-9 ? a : null);
  const charts = [];

  function chart(box) {
    const figure = JSON.parse(box.querySelector("script").textContent);
    const stacked = figure.style === "stacked";
    let columns = figure.columns;
    if (stacked) {
      let sum = figure.at.map(() => 0);
      columns = columns.map((column) => (sum = column.map((a, k) => (a ?? 0) + sum[k])));
    }
    const order = columns.map((_, k) => (stacked ? columns.length - 1 - k : k)); // the whole sum behind
    const axis = (a) => ({
      label: a.title, stroke: style("--soft"), font: "12px system-ui", labelFont: "13px system-ui", size: 62,
      grid: { stroke: style("--rule"), width: 1,
              filter: (u, all) => (a.logarithmic && all.length > 40 ? all.map(decade) : all) },
      ticks: { stroke: style("--rule"), width: 1 },
      values: (u, all) => all.map(number),
    });
    const points = figure.style === "points";
    const options = {
      title: figure.title, width: box.clientWidth - 32, height: 340,
      cursor: { sync: { key: "at" + figure.x.title } },
      scales: {
        x: { time: false, distr: figure.x.logarithmic ? 3 : 1 },
        y: { distr: figure.y.logarithmic ? 3 : 1,
             range: stacked ? (u, low, high) => [Math.min(0, low), high > 0 ? high * 1.04 : 1] : undefined },
      },
      axes: [{ ...axis(figure.x), size: 44 }, axis(figure.y)],
      series: [{ label: figure.x.title, value: (u, a) => number(a) }].concat(order.map((k) => ({
        label: figure.names[k], stroke: figure.colours[k], width: stacked ? 0 : 1.75, spanGaps: points,
        fill: stacked ? figure.colours[k] : undefined, dash: figure.dotted[k] ? [3, 4] : undefined,
        paths: figure.marks[k] ? () => null : undefined,
        points: { show: figure.marks[k] || (points && !figure.dotted[k]), size: 6, fill: figure.colours[k] },
        value: (u, a, s, at) => number(at == null ? null : figure.columns[k][at]),
      }))),
    };
    const drawn = new uPlot(options, [figure.at].concat(order.map((k) => columns[k])), box);
    box.classList.add("charted");
    charts.push({ box, drawn });
  }

  function draw() {
    for (const { drawn } of charts.splice(0)) drawn.destroy();
    document.querySelectorAll(".plot").forEach(chart);
  }
  draw();
  addEventListener("resize", () => {
    for (const { box, drawn } of charts) drawn.setSize({ width: box.clientWidth - 32, height: 340 });
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
})();
