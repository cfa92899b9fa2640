import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { OperatorError } from '../../operator-error.ts';
import type { Tracking } from './create-tracking.ts';
import { createTrackingHandler, trackedKind } from './tracking-handler.ts';

/** Longer than another worker keeps an idle connection, so that it is the one to close it. */
const keepAliveTimeout = 60_000;
/** The kernel's limit is 107 bytes on Linux and 103 on macOS. */
const maxPathBytes = 103;

/** Takes the records that other workers of the same server forward. Only this user can open the socket. */
export async function openIntakeSocket(
  path: string,
  tracking: Tracking,
): Promise<{ close(): Promise<void> }> {
  const track = createTrackingHandler(tracking);
  const server = createServer({ keepAliveTimeout }, (request, response) => {
    const kind = trackedKind(request.url ?? '');
    if (kind === undefined) response.writeHead(404).end();
    else track(kind, request, response);
  });
  if (Buffer.byteLength(path) > maxPathBytes)
    throw new OperatorError(
      `${path}: expected a socket path of at most ${maxPathBytes} bytes; ` +
        'choose a data folder with a shorter path, or one worker',
    );
  await rm(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
