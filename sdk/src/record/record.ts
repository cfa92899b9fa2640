/** A record as it is sent. Every attempt has this key and these bytes. */
export type TrackRecord = {
  /** The Idempotency-Key, by which the server recognizes a repeat. */
  key: string;
  path: RecordPath;
  /** The body as JSON. */
  body: string;
};

export type RecordPath = (typeof recordPaths)[number];
export const recordPaths = ['/api/page-view', '/api/event-view'] as const;
