// Live plots of a run: what they show, and how they are drawn by uPlot.
import { brief, colourOf, element } from "../dom";
import type { History } from "./history";

interface Curve {
  name: string; // a column
  label: string;
  colour: number; // of the palette
}

interface Plot {
  title: string;
  unit: string;
  curves: Curve[];
  stacked?: boolean;
  logarithmic?: boolean; // at first
  comparing?: boolean; // of two worlds
  unlessZero?: boolean; // shown only where there is something to see
}

// Those of the figures of reports (render/curve_colours.cpp), which colour-blind readers can tell apart.
const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00", "#cc79a7", "#8c8c8c", "#c9b400", "#7a5195"];
const axes = (column: string, label = ""): Curve[] =>
  ["x", "y", "z"].map((axis, k) => ({ name: `${column}_${axis}`, label: label + axis, colour: k }));

const PLOTS: Plot[] = [
  {
    title: "Energy ledger",
    unit: "J",
    stacked: true,
    curves: ["kinetic", "rotational", "gravitational", "elastic", "dashpot", "slip", "rolling", "clip", "onset"].map(
      (name, k) => ({ name, label: name, colour: k }),
    ),
  },
  { title: "Numerical error of the energy", unit: "J", curves: [{ name: "residual", label: "residual", colour: 4 }] },
  {
    title: "Largest distance between the two worlds",
    unit: "m",
    logarithmic: true,
    comparing: true,
    curves: [
      { name: "largest", label: "largest", colour: 4 },
      { name: "mean", label: "root mean square", colour: 0 },
    ],
  },
  {
    title: "Energy of the second world less that of the first",
    unit: "J",
    comparing: true,
    curves: [{ name: "energy_difference", label: "kinetic, potential and elastic", colour: 2 }],
  },
  { title: "Linear momentum", unit: "kg m/s", curves: axes("momentum") },
  { title: "Angular momentum", unit: "kg m²/s", unlessZero: true, curves: axes("angular_momentum") },
  { title: "Centre of mass", unit: "m", curves: axes("barycentre") },
  { title: "Contacts", unit: "", curves: [{ name: "contacts", label: "contacts", colour: 5 }] },
  { title: "Steps per second", unit: "1/s", curves: [{ name: "rate", label: "steps per second", colour: 8 }] },
];

class Chart {
  readonly root = element("div", { className: "plot" });
  private readonly box = element("div", {});
  private readonly log = element("input", { type: "checkbox" });
  private drawn: uPlot | null = null;
  private key = ""; // of what was drawn

  constructor(readonly plot: Plot) {
    this.log.checked = plot.logarithmic ?? false;
    const head = element("div", { className: "plot-head" }, element("h3", {}, plot.title));
    if (!plot.stacked) head.append(element("label", {}, this.log, " log"));
    this.log.addEventListener("change", () => (this.key = ""));
    this.root.append(head, this.box);
  }

  draw(history: History): void {
    const { plot } = this;
    const curves = plot.curves
      .map((curve) => ({ ...curve, values: history.column(curve.name) }))
      .filter((curve, k) => (plot.stacked ? curve.values.some((a) => a !== 0) : k === 0 || curve.values.some((a) => a)));
    const lowest = curves.find((curve) => curve.name === "gravitational");
    if (lowest) {
      const floor = lowest.values.reduce((least, a) => Math.min(least, a), Infinity);
      lowest.values = lowest.values.map((a) => a - floor); // from its lowest point, so that it can be stacked
    }
    const logarithmic = this.log.checked && !plot.stacked;
    let shown = curves.map((curve) => curve.values);
    if (plot.stacked) {
      let sum = history.column("time").map(() => 0);
      shown = shown.map((values) => (sum = values.map((a, k) => a + sum[k]))).reverse(); // the whole sum behind
      curves.reverse();
    }
    const points = (values: number[]) =>
      values.map((a) => (!Number.isFinite(a) || (logarithmic && a === 0) ? null : logarithmic ? Math.abs(a) : a));
    const data = [history.column("time"), ...shown.map(points)];
    const width = this.box.clientWidth;
    if (width === 0) return;
    const key = JSON.stringify([curves.map((curve) => curve.name), logarithmic, width, colourOf("--soft")]);
    if (key !== this.key) {
      this.drawn?.destroy();
      this.drawn = new uPlot(this.options(curves, logarithmic, width), data, this.box);
      this.key = key;
    } else {
      this.drawn?.setData(data);
    }
  }

  private options(curves: (Curve & { values: number[] })[], logarithmic: boolean, width: number): object {
    const stacked = this.plot.stacked ?? false;
    const soft = colourOf("--soft");
    const axis = { stroke: soft, font: "11px system-ui", grid: { stroke: colourOf("--rule"), width: 1 }, ticks: { show: false } };
    const values = (_: unknown, all: (number | null)[]) => all.map((a) => (a === null ? "" : brief(a)));
    // Of many lines those of some decades.
    const decade = (_: unknown, all: number[]) => {
      if (all.length <= 12) return all;
      const exponents = all.map((a) => Math.log10(a));
      const every = Math.ceil((exponents[exponents.length - 1] - exponents[0]) / 6);
      return all.map((a, k) => (Math.abs(exponents[k] - every * Math.round(exponents[k] / every)) < 1e-9 ? a : null));
    };
    const some = logarithmic ? decade : (_: unknown, all: number[]) => all;
    return {
      width,
      height: 190,
      cursor: { sync: { key: "time" } },
      scales: {
        x: { time: false },
        y: {
          distr: logarithmic ? 3 : 1,
          range: stacked ? (_: unknown, low: number, high: number) => [Math.min(0, low), high > 0 ? 1.04 * high : 1] : undefined,
        },
      },
      axes: [
        { ...axis, size: 28, values: (_: unknown, all: number[]) => all.map((a) => `${brief(a)} s`) },
        { ...axis, size: 64, values, filter: some, grid: { ...axis.grid, filter: some } },
      ],
      series: [
        { label: "time [s]", value: (_: unknown, a: number | null) => (a === null ? "" : brief(a)) },
        ...curves.map((curve, k) => ({
          label: curve.label + (this.plot.unit ? ` [${this.plot.unit}]` : ""),
          stroke: PALETTE[curve.colour],
          width: stacked ? 0 : 1.5,
          fill: stacked ? PALETTE[curve.colour] : undefined,
          points: { show: false },
          value: (_: unknown, a: number | null, __: number, at: number | null) =>
            at === null ? "" : brief(stacked ? curve.values[at] : (a ?? NaN)),
          order: k,
        })),
      ],
    };
  }

  picture(): HTMLCanvasElement | null {
    return this.box.querySelector("canvas");
  }
}

export class Plots {
  private readonly charts = PLOTS.map((plot) => new Chart(plot));
  private last = 0; // [ms] time of the last drawing

  constructor(root: HTMLElement) {
    root.append(...this.charts.map((chart) => chart.root));
  }

  // Not at every picture of a run: ten times a second is live enough.
  draw(history: History, comparing: boolean, now: boolean): void {
    if (!now && performance.now() - this.last < 100) return;
    this.last = performance.now();
    for (const chart of this.charts) {
      const { plot } = chart;
      const nothing = plot.unlessZero && plot.curves.every(({ name }) => history.column(name).every((a) => !a));
      chart.root.hidden = ((plot.comparing ?? false) && !comparing) || (nothing ?? false);
      if (!chart.root.hidden) chart.draw(history);
    }
  }

  // As drawn, for the report.
  pictures(): { title: string; canvas: HTMLCanvasElement }[] {
    return this.charts.flatMap(({ root, plot, picture }, k) => {
      const canvas = root.hidden ? null : picture.call(this.charts[k]);
      return canvas ? [{ title: `${plot.title}${plot.unit ? ` [${plot.unit}]` : ""}`, canvas }] : [];
    });
  }
}
