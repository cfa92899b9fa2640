/**
 * What became of a record that a program waited for. 400, 401 and 429 are values to act on, not exceptions.
 */
export type Result =
  | { kind: 'accepted'; code: 200; message: string; contingent?: Contingent }
  /** Also when the client refuses it itself: nothing was sent then, and the words are the server's. */
  | { kind: 'malformed'; code: 400; message: string; contingent?: Contingent }
  | { kind: 'unauthorized'; code: 401; message: string }
  | {
      kind: 'contingent-used-up';
      code: 429;
      message: string;
      retryAfterMs: number;
      contingent?: Contingent;
    }
  /**
   * `code` is the HTTP status, or 0 when there was no answer. The record may have been counted all the same.
   */
  | { kind: 'unavailable'; code: number; message: string; retryAfterMs?: number; cause?: unknown };

/** The website's records of this calendar month (UTC); absent for a website without a limit. */
export type Contingent = { limit: number; remaining: number; resetAfterMs: number };

/** One request and what it tells about the next. */
export type Attempt = {
  result: Result;
  /** The same request may well get another answer in a moment. */
  isTransient: boolean;
  /** The record may have been counted, though no answer says so. */
  isUncertain: boolean;
};
