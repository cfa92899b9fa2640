import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openControl } from '../../src/control/open-control.ts';
import { dataFolder } from '../../src/files/data-folder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { shareCompiledCode } from '../support/share-compiled-code.ts';
import { createServerProcess, pretendToBe } from '../support/spawn-server.ts';
import { createRandom } from './create-random.ts';
import { createLaunchedParts } from './launched-parts.ts';
import { type Ack, childrenOf, nodeOf, type Part, partOf, pidOf, type Scene } from './scene.ts';
import { works } from './works.ts';

const firstKillWithinMs = 3_000;

/** One server with its own engine, alone and run by an older Node, or with other workers. */
export async function openSingleScene(
  folder: string,
  options: {
    workers: number;
    seed: number;
    ack?: Ack;
    /** How often it is killed while it starts for the first time. */
    firstKills?: number;
    environment?: Record<string, string>;
    onFault?: (fault: string) => void;
  },
): Promise<Scene> {
  const { workers, seed, ack = 'disk', firstKills = 3, onFault = () => {} } = options;
  const dataDir = join(folder, 'data');
  const log = pino({ level: 'silent' });
  const port = await findFreePort();
  const data = dataFolder(dataDir);
  shareCompiledCode(data.store);
  const environment = {
    // As an operator has it.
    TRACKSIDE_ENGINE_PRIORITY: 'auto',
    ...options.environment,
    TRACKSIDE_WORKERS: String(workers),
    TRACKSIDE_ACK: ack,
  };
  const isLaunched = workers === 1;
  const nodeArguments = isLaunched ? pretendToBe({ version: '20.1.0' }) : [];
  const server = createServerProcess({ dataDir, port, environment, nodeArguments });
  const launched = createLaunchedParts(server, dataDir);
  const parts: Record<string, Part> = isLaunched ? launched.parts : { node: partOf(server) };
  const nodePid = isLaunched ? launched.nodePid : () => pidOf(server);
  const random = createRandom(seed);
  // The tables of control and of the store are created now.
  for (let kill = 0; kill < firstKills; kill += 1) {
    await parts.node!.launch();
    await delay(random.whole(0, firstKillWithinMs));
    await parts.node!.kill();
    onFault('node, during its first start');
  }
  await server.start().catch(async (error: Error) => {
    await parts.node!.kill();
    throw new Error(`${error.message}\n${server.output.join('')}`);
  });
  const control = await openControl({
    folder: data.control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const store = openStore({ socketPath: data.engineSocket, use: 'asking', log });
  return {
    nodes: [nodeOf({ name: 'node', origin: `http://127.0.0.1:${port}`, dataDir })],
    parts: new Map(Object.entries(parts)),
    children: new Map([
      ['engine', () => childrenOf(nodePid(), 'worker-main', false)],
      ...(workers > 1 ? [['worker', () => childrenOf(nodePid(), 'worker-main', true)] as const] : []),
    ]),
    links: new Map(),
    works: Object.keys(works),
    ack,
    control,
    store,
    output: () => server.output.join(''),
    async end() {
      await store.close();
      await control.close();
      await parts.node!.kill();
    },
  };
}
