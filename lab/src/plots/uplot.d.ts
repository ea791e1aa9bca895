// third_party/uplot, which the page carries as a script of its own.
declare class uPlot {
  constructor(options: object, data: (number | null)[][], root: HTMLElement);
  setData(data: (number | null)[][]): void;
  setSize(size: { width: number; height: number }): void;
  destroy(): void;
  readonly ctx: CanvasRenderingContext2D;
}
