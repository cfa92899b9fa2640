/**
 * Why the settings API refuses a request: the code next to the message, in the member `fault`, with its HTTP
 * status. Messages are for people and may change. Programs decide by these codes, which do not change.
 */
export const appFaults = {
  /** The body is not JSON in UTF-8. */
  'body-invalid': 400,
  /** A field, a parameter or the request itself is not valid. */
  invalid: 400,
  /** A question to the statistics is not valid. */
  'question-invalid': 400,
  /** The website has no record of the event that a question has as its goal. */
  'goal-unknown': 400,
  /** A question names a segment that does not exist, or not for this user. */
  'segment-unknown': 400,
  /** There is already one with this domain or email address. */
  'already-exists': 400,
  /** Nobody is signed in. */
  unauthorized: 401,
  /** An attempt to sign in failed. */
  'wrong-credentials': 401,
  /** This needs an admin. */
  forbidden: 403,
  /** The request comes from a page of another server. */
  'foreign-origin': 403,
  /** Nobody may do this, such as removing the last admin. */
  'not-allowed': 403,
  /** It does not exist, or not for this user. */
  'not-found': 404,
  'method-not-allowed': 405,
  /** Someone else has changed it in the meantime. */
  conflict: 409,
  'body-too-large': 413,
  /** The body is not declared as JSON. */
  'unsupported-type': 415,
  /** The question needs more time or memory than one question may use. */
  'question-too-large': 422,
  /** Too many attempts to sign in. Retry-After says how long to wait. */
  'too-many-attempts': 429,
  /** There are too many requests at once. */
  busy: 503,
  'too-many-live-views': 503,
  /** Days are being added up for the first time. */
  'being-calculated': 503,
  /** The store is restarting or being set up. */
  'engine-away': 503,
  /** The website was added a moment ago. */
  'website-not-ready': 503,
  /** The server's disk or its files are at fault. */
  'disk-fault': 503,
  /** A fault of the server, which its log explains. */
  internal: 503,
} as const;

export type AppFaultCode = keyof typeof appFaults;
