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
  let held: { key: string; client: Socket }[] | undefined;

  const server = createServer((client) => {
    if (target() === '') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(new URL(target()).port), '127.0.0.1');
    let key = '';
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
      const found = /^idempotency-key: *(\S+)/im.exec(chunk.toString('latin1'))?.[1];
      if (found !== undefined) key = found;
      if (found !== undefined && lost.has(found)) repeated.add(found);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      const isSuccess = chunk.toString('latin1').startsWith('HTTP/1.1 200 ');
      if (held !== undefined && isSuccess) held.push({ key, client });
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
      for (const { key, client } of held ?? []) {
        lost.add(key);
        client.destroy();
      }
      held = undefined;
    },
  };
}
