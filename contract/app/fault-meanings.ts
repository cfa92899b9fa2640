import { statsFaultMeanings } from '../stats/fault-meanings.ts';
import type { AppFaultCode } from './fault-codes.ts';

/** What each code says, for the OpenAPI document. The settings have all codes of the statistics, and more. */
export const appFaultMeanings: Readonly<Record<AppFaultCode, string>> = {
  ...statsFaultMeanings,
  invalid: 'A field, a parameter or the request itself is invalid.',
  'already-exists': 'There is already one with this name, domain or email address.',
  'wrong-credentials': 'Incorrect email or password.',
  forbidden: 'Only admins can do this.',
  'foreign-origin': 'The request comes from a page of another server.',
  'not-allowed': 'Nobody can do this, such as removing the last admin.',
  conflict: 'Someone else has changed it in the meantime.',
  'too-many-attempts': 'There were too many attempts to sign in.',
  'too-many-live-views': 'Too many live views are open.',
};
