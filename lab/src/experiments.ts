export interface Experiment {
  id: string;
  title: string;
  question: string;
  text: string[]; // paragraphs
  scenario: string;
  second: string; // keys of a second world, one a line; empty: there is none
  speed: number; // its place among the speeds
}
export const experiments: Experiment[] = [];
