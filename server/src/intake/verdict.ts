import type { RecordSummary } from './record-summary.ts';
import type { Refusal } from './refusal.ts';

export type Accepted = {
  accepted: true;
  /** Says what was understood of the record. Called only where someone wants to see it. */
  summarize: () => RecordSummary;
};
/** The record had been accepted before: it is on disk and is not counted again. */
export type Repeated = { repeated: true };
export type Verdict = Accepted | Repeated | Refusal;
export type OnVerdict = (verdict: Verdict) => void;
