/** The headers that the tracking endpoints look at. */
export type TrackingHeaders = {
  authorization: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  expect: string | undefined;
  /** All of them when it came more than once. */
  idempotencyKey: string | readonly string[] | undefined;
};

/**
 * Picks them from the raw list of names and values. Node would make an object of all headers when asked for
 * one, which costs more than all else that happens before the body. Of a header that comes twice, the first
 * counts, as with Node; encodings and keys for repeats add up.
 */
export function readTrackingHeaders(raw: readonly string[]): TrackingHeaders {
  const headers: TrackingHeaders = {
    authorization: undefined,
    contentLength: undefined,
    contentEncoding: undefined,
    expect: undefined,
    idempotencyKey: undefined,
  };
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!;
    const value = raw[at + 1]!;
    // By length first: most names are passed over without being read.
    if (name.length === 13) {
      if (is(name, 'authorization')) headers.authorization ??= value;
    } else if (name.length === 14) {
      if (is(name, 'content-length')) headers.contentLength ??= value;
    } else if (name.length === 16) {
      if (is(name, 'content-encoding')) headers.contentEncoding = join(headers.contentEncoding, value);
    } else if (name.length === 6) {
      if (is(name, 'expect')) headers.expect ??= value;
    } else if (name.length === 15) {
      if (is(name, 'idempotency-key')) headers.idempotencyKey = add(headers.idempotencyKey, value);
    }
  }
  return headers;
}

function is(name: string, lowerCaseName: string): boolean {
  return name === lowerCaseName || name.toLowerCase() === lowerCaseName;
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

function add(before: string | readonly string[] | undefined, value: string): string | readonly string[] {
  return before === undefined ? value : [before, value].flat();
}
