// The guided experiments. Their texts say what was seen when they were tried; figures are those of the state after the
// run, which the engine gives to the same bits everywhere.
import energy from "../experiments/energy.toml?raw";
import explosion from "../experiments/explosion.toml?raw";
import lateContact from "../experiments/late_contact.toml?raw";
import springsAndImpulses from "../experiments/springs_and_impulses.toml?raw";
import stickAndSlip from "../experiments/stick_and_slip.toml?raw";

export interface Experiment {
  id: string;
  title: string;
  question: string;
  text: string[]; // paragraphs
  scenario: string;
  second: string; // keys of a second world, one a line; empty: there is none
  speed: number; // its place among the speeds
}

const HUNDRED_STEPS = 3;
const REAL_TIME = 5;
const SLOW_MOTION = 7;

export const experiments: Experiment[] = [
  {
    id: "explosion",
    title: "Why a pile explodes",
    question: "One grain rests, two rest. Why does the third one throw them all into the air?",
    text: [
      "A column of soft grains grows by one grain a second. The left world takes steps of 11.5 ms, the right one of half of that; nothing else differs. Press Start.",
      "One grain on the floor swings with ω = √(k/m) = 100 1/s. The fastest motion of a column is faster: 162 1/s with two grains, 180 with three, and never above 200. Velocity Verlet is stable while h ω is below 2. On the left h ω is 1.15, then 1.86, then 2.07.",
      "So the third grain makes the column jitter. Its energy comes from nowhere: the numerical error of the energy, 3 J after two seconds, is 1 kJ after eight, and grains fly metres high. Let it run on (enter 12 as run.end while it waits): one collision more, and it is 72 kJ. On the right all grains stand, and the error stays below 1 mJ.",
      "Now enter 10.5 ms as run.step, press Compare and Start: h ω is 1.89 with three grains and 1.97 with four. The column is not thrown up any more, but it rattles, and the error reaches 0.3 kJ. The guard of the step would have refused these steps; the scenario turns it off.",
    ],
    scenario: explosion,
    second: "run.step = 5.75 ms",
    speed: REAL_TIME,
  },
  {
    id: "energy",
    title: "Where the energy goes",
    question: "Dashpots only take energy. Why can a pile with dashpots gain some?",
    text: [
      "A bachelor's thesis of 2011 let thirteen spheres fall and saw their energy grow with every scheme, implicit ones too. It ended with this question. Press Start: on the left steps of 0.1 ms, on the right of 1 ms.",
      "On the left 16 J of kinetic, potential and elastic energy go within 2 s; the dashpots have them, and the numerical error is 0.1 J. On the right these energies grow by 49 J, although the dashpots took 34 J: the ledger shows an error of 86 J. Steps of 1 ms are below the limit of stability, but with h ω = 1.5 no collision is resolved.",
      "In the thesis the cause was another one: it prints the rate of overlap with the wrong sign, so its dashpots push. Enter -120 as contact.damping to try that. The program refuses, and says what it expects.",
      "The ledger tells the two apart. A dashpot that pushes would show in the channel of the dashpots; steps that are too long show in the error.",
    ],
    scenario: energy,
    second: "run.step = 1 ms",
    speed: HUNDRED_STEPS,
  },
  {
    id: "late_contact",
    title: "What a late contact costs",
    question: "A plain scheme sees a collision at the end of a step. Does it matter when it began?",
    text: [
      "Twelve grains hit the floor at 1 m/s, each at another instant within a step. With a restitution of 0.7 all must leave at 0.7 m/s. The left world begins and ends contacts at the right instant (run.onset = on), the right one at ends of steps. Press Start.",
      "The sums agree: 49.0 % of the kinetic energy is left on the left, 48.9 % on the right. The ledger balances in both. So sums do not show this error.",
      "The grains do. Save final.csv, which gives a table for each world: with steps of 0.25 ms, ten in a collision, speeds are from 0.6993 to 0.7003 m/s with the correction and from 0.677 to 0.722 m/s without it.",
      "Enter 0.125 ms as run.step, press Compare and Start: the errors with the correction are now 0.0001 m/s, those without it still 0.010 m/s.",
    ],
    scenario: lateContact,
    second: "run.onset = off",
    speed: SLOW_MOTION,
  },
  {
    id: "springs_and_impulses",
    title: "Springs against impulses",
    question: "Hard contacts take long steps. What do they cost?",
    text: [
      "Forty discs fall into a box. On the left contacts are impulses, with steps of 2 ms. On the right they are springs that need steps of 0.2 ms. Press Start.",
      "Both piles come to rest within 4 s and look alike, but no grain ends in the same place: a pile forgets its start. Compare heaps by means, never grain by grain.",
      "The impulses took 2,000 steps, the springs 20,000. Overlaps are up to 5 % of a radius in both. The impulses have no elastic energy, but an error of the energy of 4.2 J (1.7 % of what was exchanged), by which overlaps were pushed apart; the springs have one of 0.06 J.",
      "Try contact dynamics: give the second world the key contact = { law = \"dynamics\", restitution = 0.5, friction = 0.4 } alone, and press Compare and Start. Overlaps fall to 0.01 %, the error to 0.003 J.",
    ],
    scenario: springsAndImpulses,
    second: 'run.step = 0.2 ms\ncontact = { law = "linear", stiffness = 2e4, restitution = 0.5, friction = 0.4 }',
    speed: REAL_TIME,
  },
  {
    id: "stick_and_slip",
    title: "Stick and slip",
    question: "When does a block begin to slide, and how fast does it go?",
    text: [
      "A block lies on a slope of 20 degrees; the picture shows the slope level, gravity is tilted. The left world has a friction coefficient of 0.5, the right one 0.3. The tangent of 20 degrees is 0.364. Press Start.",
      "The left block sticks. It does not stand quite still: the tangential spring gives by 0.04 mm and swings, because nothing damps it.",
      "The right block slides. Coulomb's law gives an acceleration of g (sin α - μ cos α) = 0.590 m/s² and a way of 295 mm after one second; the block went 301 mm. The 6 mm more are from the beginning, when the spring had to be stretched before friction held back with all its force.",
      "What gravity gave went into motion (0.036 J) and slip (0.167 J). Now Reset t0, stop at 0.5 s, enter 0.6 as contact.friction and continue: both worlds take it, and the sliding block stops within 0.14 s. Then it swings on its spring, too.",
    ],
    scenario: stickAndSlip,
    second: "contact.friction = 0.3",
    speed: REAL_TIME,
  },
];
