/**
 * Why the settings API does not do what it was asked, by the code that stands beside the message in the
 * member `fault`, each with its HTTP status. Messages are for people and may change; programs decide by these
 * codes, which do not.
 */
export const appFaults = {
  /** The body is no JSON in UTF-8. */
  'body-invalid': 400,
  /** A field, a parameter or what is asked for is not as it should be. */
  invalid: 400,
  /** A question to the statistics is not as it should be. */
  'question-invalid': 400,
  /** There is one with this domain or email address. */
  'already-exists': 400,
  /** Nobody is signed in. */
  unauthorized: 401,
  /** Of an attempt to sign in. */
  'wrong-credentials': 401,
  /** It needs an admin. */
  forbidden: 403,
  /** A page of another server asks. */
  'foreign-origin': 403,
  /** Nobody may do this, such as removing the last admin. */
  'not-allowed': 403,
  /** There is nothing here, or not for this user. */
  'not-found': 404,
  'method-not-allowed': 405,
  /** Somebody else has changed it meanwhile. */
  conflict: 409,
  'body-too-large': 413,
  /** The body does not say that it is JSON. */
  'unsupported-type': 415,
  /** It needs more time or memory than one question may use. */
  'question-too-large': 422,
  /** To sign in; Retry-After says for how long to wait. */
  'too-many-attempts': 429,
  /** Too much is asked at once. */
  busy: 503,
  'too-many-live-views': 503,
  /** Days are being added up for the first time. */
  'being-calculated': 503,
  /** The store restarts or is being set up. */
  'engine-away': 503,
  /** The website was added a moment ago. */
  'website-not-ready': 503,
  /** The server's disk or its files are at fault. */
  'disk-fault': 503,
  /** A fault of the server, which its log explains. */
  internal: 503,
} as const;

export type AppFaultCode = keyof typeof appFaults;
