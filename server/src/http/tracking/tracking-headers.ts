/** The headers that the tracking endpoints look at. */
export type TrackingHeaders = {
  authorization: string | undefined;
  contentLength: string | undefined;
  contentEncoding: string | undefined;
  expect: string | undefined;
  /** A list if it came more than once. */
  idempotencyKey: string | readonly string[] | undefined;
  attempt: string | undefined;
  dryRun: string | undefined;
  /** Lists if they came more than once. */
  sequence: string | readonly string[] | undefined;
  release: string | readonly string[] | undefined;
};

/**
 * Picks the headers from the raw list of names and values. Node would make an object of all headers, which
 * costs more than everything else before the body. If a header comes twice, the first one counts, as in Node;
 * encodings, idempotency keys, numbers and releases are collected.
 */
export function readTrackingHeaders(raw: readonly string[]): TrackingHeaders {
  const headers: TrackingHeaders = {
    authorization: undefined,
    contentLength: undefined,
    contentEncoding: undefined,
    expect: undefined,
    idempotencyKey: undefined,
    attempt: undefined,
    dryRun: undefined,
    sequence: undefined,
    release: undefined,
  };
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!;
    const value = raw[at + 1]!;
    // The length rules out most names without reading them.
    if (name.length === 13) {
      if (is(name, 'authorization')) headers.authorization ??= value;
    } else if (name.length === 14) {
      if (is(name, 'content-length')) headers.contentLength ??= value;
    } else if (name.length === 16) {
      if (is(name, 'content-encoding')) headers.contentEncoding = join(headers.contentEncoding, value);
    } else if (name.length === 6) {
      if (is(name, 'expect')) headers.expect ??= value;
    } else if (name.length === 17) {
      // Whoever sends two doesn't know which attempt it is.
      if (is(name, 'trackside-attempt')) headers.attempt = join(headers.attempt, value);
      else if (is(name, 'trackside-dry-run')) headers.dryRun = join(headers.dryRun, value);
      else if (is(name, 'trackside-release')) headers.release = add(headers.release, value);
    } else if (name.length === 18) {
      if (is(name, 'trackside-sequence')) headers.sequence = add(headers.sequence, value);
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
