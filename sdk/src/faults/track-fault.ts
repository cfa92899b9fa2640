/**
 * What went wrong with tracked records. Its text never holds an API key, an IP address or a value of a
 * record.
 */
export type TrackFault = {
  kind: TrackFaultKind;
  message: string;
  /**
   * How many records, or attempts to send one, it is about. The same fault is told once a minute at most,
   * with all since the last time.
   */
  records: number;
  /** What fetch, or a function that was passed in, has thrown. */
  cause?: unknown;
};

export type TrackFaultKind =
  /** Refused with 400, by the client or by the server: lost. */
  | 'malformed'
  /** Refused with 429, because the month's contingent is used up: lost. */
  | 'contingent-used-up'
  /** The API key is not valid: kept, and tried again slowly. */
  | 'unauthorized'
  /** The server is away: kept, and tried again. */
  | 'unavailable'
  /** Something in front of the server refused the record again and again: lost. */
  | 'refused-on-the-way'
  /** The queue has no room: lost. */
  | 'queue-full'
  /** Waited longer than `maxAgeMs`: lost. */
  | 'too-old'
  /**
   * Sent, but an answer never came, and it is too late to repeat it safely: may or may not have been counted.
   */
  | 'unknown-outcome'
  /** Tracked after `close()`, or left over by it and not on disk: lost. */
  | 'closed'
  /** The disk queue could not write or read something; `message` says what became of it. */
  | 'disk'
  /** A bug, here or in what was passed in. */
  | 'unexpected';
