/**
 * The columns of one record, in the order of a journal payload. The first three come first so that a reader
 * can tell the month, the website and the time from the payload's first bytes. A segment's header repeats the
 * list, so that segments of older versions still load.
 */
export const recordColumns = [
  'day',
  'website_id',
  'received_at',
  'local_at',
  'kind',
  'visitor_id',
  'has_client_id',
  'host',
  'path',
  'query',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'referrer',
  'referrer_host',
  'source',
  'channel',
  'continent',
  'country',
  'region',
  'region_code',
  'city',
  'postal_code',
  'timezone',
  'language',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'is_bot',
  'bot',
  'screen_width',
  'screen_height',
  'event_name',
  'parameter_names',
  'parameter_values',
  // 64 bits for the address and the user agent on this day, even if a ClientId identifies the visitor.
  'device_id',
  // The place of a record among those that this node received in the same millisecond, from 0 on.
  'received_order',
  // How many milliseconds before its arrival it happened. Nearly always 0.
  'waited_ms',
] as const;

/** The columns that earlier versions wrote, for a segment that has lost its header. */
export const earlierRecordColumns: readonly (readonly string[])[] = [
  recordColumns.slice(0, -3),
  recordColumns.slice(0, -1),
];
