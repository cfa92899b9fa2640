import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * Opens a network between the shops and Trackside that can hold answers back and lose them: Trackside has the
 * record, and the client cannot know. It works on connections, so it tests whatever the client uses for
 * sending. `target` is empty while Trackside is away.
 */
export async function openLossyNetwork(t: TestContext, target: () => string) {
  const lost = new Set<string>();
  const repeated = new Set<string>();
  const open = new Set<Socket>();
  let held: { keys: string[]; client: Socket }[] | undefined;

  const server = createServer((client) => {
    if (target() === '') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(new URL(target()).port), '127.0.0.1');
    let request = '';
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      request = text.startsWith('POST ') ? text : request + text;
      for (const key of keysIn(request)) if (lost.has(key)) repeated.add(key);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      const isSuccess = chunk.toString('latin1').startsWith('HTTP/1.1 200 ');
      if (held !== undefined && isSuccess) held.push({ keys: keysIn(request), client });
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });

  return {
    lost,
    repeated,
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    holdAnswers() {
      held = [];
    },
    held: () => held?.length ?? 0,
    loseAnswers() {
      for (const { keys, client } of held ?? []) {
        for (const key of keys) lost.add(key);
        client.destroy();
      }
      held = undefined;
    },
  };
}

/** The key of a record that is sent alone, or the keys of a batch. */
function keysIn(request: string): string[] {
  const found = request.matchAll(/^idempotency-key: *(\S+)|"IdempotencyKey":"([^"]+)"/gim);
  return [...found].map(([, alone, inBatch]) => (alone ?? inBatch)!);
}
