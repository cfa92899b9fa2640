/** Why a record was not accepted: a closed list, so that metrics, logs and HTTP name the same reasons. */
export type RefusalReason =
  | 'unauthorized'
  | 'malformed'
  | 'contingent-used-up'
  | 'no-salt'
  | 'journal-full'
  | 'journal-stalled'
  | 'journal-closed';

export type Refusal = { refused: RefusalReason; message: string };

export function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
}

export const malformed = (message: string): Refusal => ({ refused: 'malformed', message });
