/** A record as it is sent: every attempt has this key and these bytes. */
export type TrackRecord = {
  /** The Idempotency-Key, by which the server knows a repeat. */
  key: string;
  path: RecordPath;
  /** JSON. */
  body: string;
};

export type RecordPath = (typeof recordPaths)[number];
export const recordPaths = ['/api/page-view', '/api/event-view'] as const;
