import { type BodyFault, spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';

/** Why a record was not accepted. The list is closed: metrics, logs and HTTP name the same reasons. */
export type RefusalReason =
  | 'unauthorized'
  | 'malformed'
  | 'contingent-used-up'
  | 'control-away'
  | 'no-salt'
  | 'journal-full'
  | 'journal-stalled'
  | 'journal-closed'
  | 'journal-broken'
  | 'worker-away'
  | 'store-away'
  | 'node-away'
  | 'batches-full'
  | 'internal';

/** The only value of intake with a member `refused`: that member is how a refusal is recognized. */
export type Refusal =
  | {
      refused: RefusalReason;
      message: string;
      /** Set if the record may be counted all the same. Its sender must not send it as a new one. */
      outcome?: 'unknown';
      /** What it is about, in words that contain nothing of the record. */
      shape?: PlainShape;
    }
  | FieldRefusal;

/** About a field of the body, with the parts that make up the message. */
type FieldRefusal = { refused: 'malformed'; message: string; about: BodyFault };

type PlainShape = { field: string; expected: string; got: string };

/**
 * About a header or the body as a whole. `field`, `expected` and `got` contain nothing that was sent, nor how
 * long it was; `rest` may, and ends the message.
 */
export const malformedAs = (field: string, expected: string, got: string, rest = ''): Refusal => ({
  refused: 'malformed',
  message: `${field}: expected ${expected}, got ${got}${rest}`,
  shape: { field, expected, got },
});

export const malformedField = (about: BodyFault): Refusal => ({
  refused: 'malformed',
  message: spellBodyFault(about),
  about,
});

export const internalFault = 'Internal fault: the record was not accepted, try again';
