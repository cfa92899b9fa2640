import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds a port for a program that needs its number before it listens. It is below those that the system gives
 * to whoever asks for any: otherwise another test could get it in the meantime.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
