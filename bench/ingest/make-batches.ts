import type { HttpRequest } from './send-by-http.ts';

/** How many different batches are sent in turn. */
const differentBatches = 20;

/** Returns batches, each with `size` records of one website. */
export function makeBatches(
  apiKeys: readonly string[],
  bodies: readonly { body: string }[],
  size: number,
): HttpRequest[] {
  return Array.from({ length: differentBatches }, (_, number) => {
    const records = Array.from(
      { length: size },
      (_, at) => bodies[(number * size + at) % bodies.length]!.body,
    );
    return {
      path: '/api/batch',
      apiKey: apiKeys[number % apiKeys.length]!,
      body: `{"Records":[${records.join(',')}]}`,
    };
  });
}
