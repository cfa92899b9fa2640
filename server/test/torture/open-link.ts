import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Lane } from './create-lane.ts';

/** Listens for clients of a service, each of which has a lane to it. Whoever has none is turned away. */
export async function openLink(
  listen: { host: string; port?: number },
  lanes: Lane | ReadonlyMap<string, Lane>,
) {
  const server = createServer({ allowHalfOpen: false }, (near) => {
    const lane = lanes instanceof Map ? lanes.get(near.remoteAddress ?? '') : lanes;
    if (lane === undefined) near.resetAndDestroy();
    else lane.accept(near);
  });
  server.listen(listen.port ?? 0, listen.host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    host: listen.host,
    port,
    async close(): Promise<void> {
      server.close();
      for (const lane of lanes instanceof Map ? lanes.values() : [lanes]) lane.close();
    },
  };
}
