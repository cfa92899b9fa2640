import type { RecordSummary } from './record-summary.ts';
import type { Refusal } from './refusal.ts';

export type Accepted = {
  accepted: true;
  /** What was made of it, for who wants to know. */
  summarize: () => RecordSummary;
};
/** The record was accepted before: it is on disk, and counts no second time. */
export type Repeated = { repeated: true };
export type Verdict = Accepted | Repeated | Refusal;
export type OnVerdict = (verdict: Verdict) => void;
