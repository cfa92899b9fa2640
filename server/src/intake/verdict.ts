import type { Refusal } from './refusal.ts';
import type { Understood } from './understood.ts';

export type Accepted = {
  accepted: true;
  /** What was made of it, for who wants to know. */
  understand: () => Understood;
};
/** The record was accepted before: it is on disk, and counts no second time. */
export type Repeated = { repeated: true };
export type Verdict = Accepted | Repeated | Refusal;
export type Answer = (verdict: Verdict) => void;
