import { makeBodies } from '../ingest/make-bodies.ts';
import type { Trackside } from '../ingest/open-trackside.ts';
import { sendClosedLoop } from '../ingest/send-closed-loop.ts';

const rounds = 3;
const records = 20_000;
const connections = 64;

/** Returns how many records a second the server answers at most, in some short rounds after a first one. */
export async function findPeak({ origin, apiKeys }: Trackside): Promise<number[]> {
  const texts = makeBodies(2_000).map(
    ({ path, body }, at) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${apiKeys[at % apiKeys.length]}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const run = () => sendClosedLoop({ origin, texts, records, connections });
  await run();
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { perSecond, errors } = await run();
    if (errors > 0) throw new Error(`${errors} of ${records} records were not accepted`);
    peaks.push(perSecond);
  }
  return peaks;
}
