// The samples of a run, picture by picture. Of many every second one is dropped, so that a plot has some thousand points
// however long the run is; the file series.csv has all rows that the scenario asks for.
import type { Column, Difference, Picture } from "../engine/protocol";

const MOST = 4000;

export class History {
  private columns: Column[] = [];
  private rows: Float64Array[] = [];
  private extra: Record<string, number>[] = []; // beside the columns of the engine
  private every = 1; // of the pictures one is kept
  private seen = 0;

  get length(): number {
    return this.rows.length;
  }

  clear(): void {
    this.rows = [];
    this.extra = [];
    this.every = 1;
    this.seen = 0;
  }

  add(picture: Picture, extra: Record<string, number>): void {
    if (picture.columns) {
      this.columns = picture.columns;
      this.rows = this.rows.filter((row) => row.length === this.columns.length);
      this.extra = this.extra.slice(-this.rows.length || this.extra.length);
    }
    const last = this.rows[this.rows.length - 1];
    if (last && picture.sample[0] === last[0]) {
      this.rows[this.rows.length - 1] = picture.sample; // the same instant again
      return;
    }
    if (this.seen++ % this.every !== 0) return;
    this.rows.push(picture.sample);
    this.extra.push(extra);
    if (this.rows.length <= MOST) return;
    this.rows = this.rows.filter((_, k) => k % 2 === 0);
    this.extra = this.extra.filter((_, k) => k % 2 === 0);
    this.every *= 2;
  }

  // Of a picture of the second world, which has the columns of the first.
  valueIn(picture: Picture, name: string): number {
    const at = this.columns.findIndex((column) => column.name === name);
    return at < 0 ? NaN : picture.sample[at];
  }

  column(name: string): number[] {
    const at = this.columns.findIndex((column) => column.name === name);
    return at < 0 ? this.extra.map((row) => row[name] ?? NaN) : this.rows.map((row) => row[at]);
  }
}

export function differenceRow(difference: Difference | null): Record<string, number> {
  return { largest: difference?.largest ?? NaN, mean: difference?.mean ?? NaN };
}
