/**
 * The outcome of a record that a program waited for. 400, 401 and 429 are values to act on, not exceptions.
 */
export type Result =
  | { kind: 'accepted'; code: 200; message: string; contingent?: Contingent }
  /**
   * Also used if the client itself refuses the record. Then nothing was sent, and the message is the
   * server's.
   */
  | { kind: 'malformed'; code: 400; message: string; contingent?: Contingent }
  | { kind: 'unauthorized'; code: 401; message: string }
  | {
      kind: 'contingent-used-up';
      code: 429;
      message: string;
      retryAfterMs: number;
      contingent?: Contingent;
    }
  /** `code` is the HTTP status, or 0 if there was no answer. The record may have been counted anyway. */
  | { kind: 'unavailable'; code: number; message: string; retryAfterMs?: number; cause?: unknown };

/** The website's records in this calendar month (UTC). Absent for a website without a limit. */
export type Contingent = { limit: number; remaining: number; resetAfterMs: number };

/** The result of one request, and what it means for the next. */
export type Attempt = {
  result: Result;
  /** Whether the same request may get another answer in a moment. */
  isTransient: boolean;
  /** Whether the record may have been counted although no answer says so. */
  isUncertain: boolean;
};
