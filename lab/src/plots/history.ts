// The samples of a run, picture by picture. Of many every second one is dropped, so that a plot has some thousand points
// however long the run is; the file series.csv has all rows that the scenario asks for.
import type { Column, Difference, Picture } from "../engine/protocol";

const MOST = 4000;

interface Row {
  sample: Float64Array; // a number for each column of the engine
  extra: Record<string, number>; // beside them
}

export class History {
  private columns: Column[] = [];
  private rows: Row[] = [];
  private every = 1; // of the pictures one is kept
  private seen = 0;

  clear(): void {
    this.rows = [];
    this.every = 1;
    this.seen = 0;
  }

  add(picture: Picture, extra: Record<string, number>): void {
    if (picture.columns) {
      this.columns = picture.columns;
      this.rows = this.rows.filter(({ sample }) => sample.length === this.columns.length);
    }
    const row = { sample: picture.sample, extra };
    const last = this.rows[this.rows.length - 1];
    if (last && row.sample[0] === last.sample[0]) {
      this.rows[this.rows.length - 1] = row; // the same instant again
      return;
    }
    if (this.seen++ % this.every !== 0) return;
    this.rows.push(row);
    if (this.rows.length <= MOST) return;
    this.rows = this.rows.filter((_, k) => k % 2 === 0);
    this.every *= 2;
  }

  // Of a picture of the second world, which has the columns of the first.
  valueIn(picture: Picture, name: string): number {
    const at = this.columns.findIndex((column) => column.name === name);
    return at < 0 ? NaN : picture.sample[at];
  }

  column(name: string): number[] {
    const at = this.columns.findIndex((column) => column.name === name);
    return this.rows.map(({ sample, extra }) => (at < 0 ? (extra[name] ?? NaN) : sample[at]));
  }
}

export function differenceRow(difference: Difference | null): Record<string, number> {
  return { largest: difference?.largest ?? NaN, mean: difference?.mean ?? NaN };
}
