/** How many different batches are sent in turn. */
const differentBatches = 20;

/** Returns batches as they go over the wire, each with `size` records of one website. */
export function batchTextsOf(
  apiKeys: readonly string[],
  bodies: readonly { body: string }[],
  size: number,
): string[] {
  return Array.from({ length: differentBatches }, (_, number) => {
    const records = Array.from(
      { length: size },
      (_, at) => bodies[(number * size + at) % bodies.length]!.body,
    );
    const body = `{"Records":[${records.join(',')}]}`;
    return (
      `POST /api/batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${apiKeys[number % apiKeys.length]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  });
}
