/**
 * Something that went wrong with tracked records. Its text never holds an API key, an IP address or a value
 * from a record.
 */
export type TrackFault = {
  kind: TrackFaultKind;
  message: string;
  /**
   * The number of records, or of attempts to send one. The same fault is reported at most once a minute, with
   * the number since the last report.
   */
  records: number;
  /** The error that fetch, or a function that was passed in, has thrown. */
  cause?: unknown;
};

export type TrackFaultKind =
  /** Refused with 400 by the client or by the server. Lost. */
  | 'malformed'
  /** Refused with 429, because the month's contingent is used up. Lost. */
  | 'contingent-used-up'
  /**
   * Refused with 400 after it had waited, most likely because a clock is wrong. Kept, and sent without the time
   * at which it was tracked.
   */
  | 'time-refused'
  /** The API key is not valid. Kept, and retried slowly. */
  | 'unauthorized'
  /** The server is away. Kept, and retried. */
  | 'unavailable'
  /** Something in front of the server refused the record again and again. Lost. */
  | 'refused-on-the-way'
  /** The queue has no room. Lost. */
  | 'queue-full'
  /** Waited longer than `maxAgeMs`. Lost. */
  | 'too-old'
  /**
   * Sent, but not confirmed, and it is too late to repeat it safely. It may or may not have been counted.
   */
  | 'unknown-outcome'
  /** Tracked after `close()`, or left over by it and not on disk. Lost. */
  | 'closed'
  /** The disk queue could not write or read something. `message` says what happened to it. */
  | 'disk'
  /** A bug, here or in something that was passed in. */
  | 'unexpected';
