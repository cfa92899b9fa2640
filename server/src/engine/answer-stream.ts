import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ChdbQueryStream, StreamChunk } from 'chdb';
import { toEngineError } from './engine-error.ts';

/**
 * A reader that takes nothing for this long loses its query, which would keep a session from everyone else.
 */
const stallTimeoutMs = 60_000;

/**
 * Sends a result chunk by chunk at the reader's pace. The head is sent with the first chunk, so that a
 * statement that fails right away still gets an error status.
 */
export async function answerStream(
  response: ServerResponse,
  headers: Record<string, string>,
  stream: ChdbQueryStream,
  gone: AbortSignal,
): Promise<void> {
  const tag = randomBytes(8).toString('hex');
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next();
  response.writeHead(200, { ...headers, 'X-ClickHouse-Exception-Tag': tag });
  try {
    await sendChunks(response, first, chunks, gone);
  } catch (error) {
    // It is too late for a status. ClickHouse's marker tells the client that the rows before it are
    // incomplete.
    if (!gone.aborted) response.write(trailingError(toEngineError(error).message, tag));
  } finally {
    await chunks.return?.(undefined);
  }
  response.end();
}

async function sendChunks(
  response: ServerResponse,
  first: IteratorResult<StreamChunk>,
  chunks: AsyncIterator<StreamChunk>,
  gone: AbortSignal,
): Promise<void> {
  for (let next = first; next.done !== true; next = await chunks.next()) {
    if (gone.aborted) return;
    if (response.write(next.value.raw())) continue;
    await once(response, 'drain', { signal: AbortSignal.any([gone, AbortSignal.timeout(stallTimeoutMs)]) });
  }
}

function trailingError(message: string, tag: string): string {
  const text = `${message}\n`;
  return `\r\n__exception__\r\n${tag}\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`;
}
