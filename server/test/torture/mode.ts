import type { Report } from './report.ts';
import type { TortureOptions } from './torture-options.ts';

/** What a mode is given to do. */
export type Job = {
  /** An empty folder. It is kept if something breaks. */
  folder: string;
  options: TortureOptions;
  /** The first round has this seed, the next one the seed after it, and so on. */
  seed: number;
  /** How many faults to cause. */
  kills: number;
  /** No round begins after this much time. */
  forMs: number;
  say: (line: string) => void;
};

/** A kind of system, and what happens to it. */
export type Mode = {
  /** A line of the help. */
  about: string;
  /** Its part of the kills if all modes run, compared with the other modes. */
  share: number;
  /** Says why it can't run on this machine. Undefined if it can. */
  whyNot?: () => string | undefined;
  run(job: Job): Promise<Report>;
};
