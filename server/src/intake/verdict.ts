import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import type { Received } from './receipts/receipts.ts';
import type { RecordSummary } from './record-summary.ts';
import type { Refusal } from './refusal.ts';

export type Accepted = {
  accepted: true;
  received: Received;
  /** Says what was understood of the record. Called only where someone wants to see it. */
  summarize: () => RecordSummary;
};
/** The record had been accepted before: it is on disk and is not counted again. */
export type Repeated = {
  repeated: true;
  /** When the first one was received. Undefined if another node or another process received it. */
  received?: Received | undefined;
};
/** The record is valid, and a rule of its website excludes it: it is answered 200, and not on disk. */
export type Excluded = { excluded: Exclusion; message: string };
export type Verdict = Accepted | Repeated | Excluded | Refusal;
export type OnVerdict = (verdict: Verdict) => void;
