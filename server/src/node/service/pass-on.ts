import { once } from 'node:events';
import { type IncomingMessage, request as requestEngine, type ServerResponse } from 'node:http';
import { answerRefusal, tooLarge } from './answer-refusal.ts';

/** A batch of the loader has 12 MiB, and a statement at most 8. */
export const maxBodyBytes = 32 * 2 ** 20;
/** A reader that takes nothing for this long is disconnected. */
const stallMs = 60_000;

const passedOn = [
  'content-length',
  'content-type',
  'content-encoding',
  'x-clickhouse-format',
  'x-trackside-use',
];
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/**
 * Passes a request on to the engine, and its answer back. If the engine breaks off, so does this: the client
 * must not take an INSERT of unknown outcome for one that has failed.
 */
export async function passOn(
  socketPath: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url: path, method } = request;
  const given = passedOn.filter((name) => request.headers[name] !== undefined);
  const headers = Object.fromEntries(given.map((name) => [name, request.headers[name]]));
  const toEngine = requestEngine({ socketPath, path, method, headers, agent: false });
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    toEngine.destroy();
  });
  // Whoever waits for the answer gets the same error.
  toEngine.on('error', () => {});
  request.on('error', () => toEngine.destroy());
  let bodyBytes = 0;
  request.on('data', (chunk: Buffer) => {
    bodyBytes += chunk.length;
    if (bodyBytes > maxBodyBytes) toEngine.destroy();
  });
  request.pipe(toEngine);
  try {
    const [answer] = (await once(toEngine, 'response')) as [IncomingMessage];
    const kept = Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name));
    // If the engine answers before the body has ended, nobody reads the rest of it.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.writeHead(answer.statusCode!, Object.fromEntries(kept));
    for await (const chunk of answer) {
      if (!response.write(chunk)) await once(response, 'drain', { signal: inTime(gone.signal) });
    }
    response.end();
    if (!response.writableFinished) await once(response, 'finish', { signal: inTime(gone.signal) });
  } catch {
    if (bodyBytes > maxBodyBytes) answerRefusal(response, tooLarge(maxBodyBytes));
    else response.destroy();
  }
}

function inTime(gone: AbortSignal): AbortSignal {
  return AbortSignal.any([gone, AbortSignal.timeout(stallMs)]);
}
