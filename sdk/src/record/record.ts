/** A record as it was handed over. Every attempt has this key and this number. */
export type TrackRecord = {
  /** The Idempotency-Key, by which the server recognizes a repeat. */
  key: string;
  path: RecordPath;
  /** The body as JSON, without the time that is added if the record has to wait. */
  body: string;
  /** Its stream and number. Records that an earlier version of the SDK kept on disk have none. */
  sequence?: string | undefined;
};

export type RecordPath = (typeof recordPaths)[number];
export const recordPaths = ['/api/page-view', '/api/event-view'] as const;
