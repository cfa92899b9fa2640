/**
 * Why the statistics do not answer: the code next to the message, in the member `fault`, with its HTTP
 * status. Messages are for people and may change. Programs decide by these codes, which do not change.
 */
export const statsFaults = {
  /** The body is not JSON in UTF-8. */
  'body-invalid': 400,
  /** The question is not as described; the message names the member. */
  'question-invalid': 400,
  /** The website has no record of the event that is the goal. It may still come. */
  'goal-unknown': 400,
  /** There is no such segment, or not for whoever asks. */
  'segment-unknown': 400,
  /** Nothing in the request allows reading this website. */
  unauthorized: 401,
  /** There is nothing at this path. */
  'not-found': 404,
  /** Questions are sent by POST. */
  'method-not-allowed': 405,
  /** The body has more bytes than a request may have. */
  'body-too-large': 413,
  /** The Content-Type cannot be read. */
  'unsupported-type': 415,
  /** The question needs more time or memory than one question may use. */
  'question-too-large': 422,
  /** There are too many questions at once. */
  busy: 503,
  /** Days of the period are being added up for the first time. */
  'being-calculated': 503,
  /** The store is restarting, stopping or being set up. */
  'engine-away': 503,
  /** The website was added a moment ago. */
  'website-not-ready': 503,
  /** The server's disk or its files are at fault. */
  'disk-fault': 503,
  /** A fault of the server, which its log explains. */
  internal: 503,
} as const;

export type StatsFaultCode = keyof typeof statsFaults;
