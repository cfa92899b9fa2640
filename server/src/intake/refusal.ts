import { type BodyFault, spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';

/** Why a record was not accepted: a closed list, so that metrics, logs and HTTP name the same reasons. */
export type RefusalReason =
  | 'unauthorized'
  | 'malformed'
  | 'contingent-used-up'
  | 'no-salt'
  | 'journal-full'
  | 'journal-stalled'
  | 'journal-closed';

export type Refusal = { refused: RefusalReason; message: string } | FieldRefusal;

/** About a field of the body, with the parts that the message is put together of. */
type FieldRefusal = { refused: 'malformed'; message: string; about: BodyFault };

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}

export const malformed = (message: string): Refusal => ({ refused: 'malformed', message });

export const malformedField = (about: BodyFault): Refusal => ({
  refused: 'malformed',
  message: spellBodyFault(about),
  about,
});
