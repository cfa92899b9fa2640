/** Where the answer to one tracking request goes. Headers are names and values in turn. */
export type TrackingReply = {
  success(headers: readonly string[]): void;
  other(code: number, headers: readonly string[], text: string): void;
};

/** The answer to one record of a batch. */
export type RecordResult = {
  code: number;
  message: string;
  retrySeconds?: number | undefined;
  /** Set if the record may be counted although it is refused. */
  outcome?: 'unknown' | undefined;
};

/** Names the record to whoever has the key, for `GET /api/receipt/…`. */
export const receiptHeader = 'Trackside-Receipt';
