import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { openControl } from '../../src/control/open-control.ts';
import { startTestPostgres } from '../../src/control/test-postgres.ts';
import { openStore } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { outsideEnvironment, outsideStoreAt } from '../support/outside-environment.ts';
import { createServerProcess } from '../support/spawn-server.ts';
import { startEngineService } from '../support/start-engine-service.ts';
import { createLane, type Lane } from './create-lane.ts';
import { openLink } from './open-link.ts';
import { type Ack, childrenOf, nodeOf, type Part, partOf, pidOf, type Scene } from './scene.ts';

/** Where a node runs, and from where it reaches PostgreSQL and the store. */
export type Host = {
  address: string;
  linkAddress: { postgres: string; store: string };
  /** Where the other hosts reach this one. Left out where they reach it directly, so nothing can be cut. */
  gateway?: string;
  /** Becomes the command that runs on the host. */
  within: string[];
  /** Cuts and mends without a word to either end. Left out where only connections can be cut. */
  silence?: Record<'postgres' | 'store', { cut(): Promise<void>; mend(): Promise<void> }>;
  remove?(): Promise<void>;
};

const here: Host = {
  address: '127.0.0.1',
  linkAddress: { postgres: '127.0.0.1', store: '127.0.0.1' },
  within: [],
};

/** Hosts that are all this machine. */
export const localHosts = (count: number): Host[] => Array.from({ length: count }, () => here);

/** Servers with one PostgreSQL and one engine, which each of them reaches over connections of its own. */
export async function openClusterScene(
  folder: string,
  { hosts = localHosts(2), ack = 'disk' }: { hosts?: readonly Host[]; ack?: Ack } = {},
): Promise<Scene> {
  const cleanUps: (() => Promise<void>)[] = [];
  const log = pino({ level: 'silent' });
  await mkdir(folder, { recursive: true });
  const postgres = await startTestPostgres();
  cleanUps.push(() => postgres.kill().catch(() => {}));
  await postgres.run('postgres', 'create database trackside template template0');
  const socket = join(new URL(postgres.url('trackside')).searchParams.get('host')!, '.s.PGSQL.5432');
  const enginePort = await findFreePort();
  const engine = await startEngineService(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    { port: enginePort },
  );
  const secretKeyFile = join(folder, 'secret.key');
  const scene: Pick<Scene, 'nodes' | 'parts' | 'children' | 'links'> = {
    nodes: [],
    parts: new Map<string, Part>([
      ['engine service', partOf(engine)],
      ['PostgreSQL', partOfPostgres(postgres)],
    ]),
    children: new Map([['engine', () => childrenOf(pidOf(engine), 'worker-main', false)]]),
    links: new Map(),
  };
  const outputs = [engine.output];
  const direct = {
    ...outsideEnvironment(engine.origin()),
    TRACKSIDE_DATABASE_URL: postgres.url('trackside'),
    TRACKSIDE_SECRET_KEY_FILE: secretKeyFile,
    TRACKSIDE_ACK: ack,
  };
  const nameOf = (at: number) => `node ${at + 1}`;

  /** Opens a lane from each other node to where this one answers questions about keys. */
  const openGateway = async (at: number, { gateway, address }: Host): Promise<Record<string, string>> => {
    if (gateway === undefined) return {};
    const port = await findFreePort();
    const lanes = new Map<string, Lane>();
    for (const [from, other] of hosts.entries()) {
      if (from === at) continue;
      const lane = createLane({ host: address, port });
      lanes.set(other.address, lane);
      scene.links.set(`${nameOf(from)} to ${nameOf(at)}`, lane);
    }
    const link = await openLink({ host: gateway, port }, lanes);
    cleanUps.push(link.close);
    return { TRACKSIDE_NODE_ADDRESS: `${gateway}:${port}` };
  };

  for (const [at, host] of hosts.entries()) {
    const name = nameOf(at);
    const dataDir = join(folder, `node-${at + 1}`);
    const port = await findFreePort();
    const lanes = {
      postgres: createLane({ path: socket }),
      store: createLane({ host: '127.0.0.1', port: enginePort }),
    };
    const toPostgres = await openLink({ host: host.linkAddress.postgres }, lanes.postgres);
    const toStore = await openLink({ host: host.linkAddress.store }, lanes.store);
    const environment = {
      ...direct,
      ...(await openGateway(at, host)),
      ...outsideEnvironment(`http://${toStore.host}:${toStore.port}`),
      TRACKSIDE_HOST: host.address,
      TRACKSIDE_DATABASE_URL: `postgres://trackside@${toPostgres.host}:${toPostgres.port}/trackside`,
    };
    const server = createServerProcess({ dataDir, port, environment, within: host.within });
    cleanUps.push(
      async () => void (await server.end('SIGKILL')),
      toPostgres.close,
      toStore.close,
      async () => host.remove?.(),
    );
    await server.start();
    outputs.push(server.output);
    scene.nodes.push(
      nodeOf({ name, origin: `http://${host.address}:${port}`, dataDir, environment: direct }),
    );
    scene.parts.set(name, partOf(server));
    for (const service of ['postgres', 'store'] as const) {
      const lane = lanes[service];
      const silence = host.silence?.[service];
      scene.links.set(`${name} to ${service}`, {
        cut: (how) => (how === 'silent' && silence !== undefined ? silence.cut() : lane.cut(how)),
        async mend() {
          await silence?.mend();
          await lane.mend();
        },
      });
    }
  }
  const control = await openControl({
    folder: join(folder, 'control'),
    databaseUrl: direct.TRACKSIDE_DATABASE_URL,
    isPatient: true,
    secretKeyFile,
    clock: systemClock,
    log,
  });
  const store = openStore({ outside: outsideStoreAt(engine.origin()), use: 'asking', log });
  return {
    ...scene,
    works: [],
    ack,
    control,
    store,
    output: () => outputs.flat().join(''),
    async end() {
      await store.close();
      await control.close().catch(() => {});
      for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    },
  };
}

function partOfPostgres(postgres: Awaited<ReturnType<typeof startTestPostgres>>): Part {
  return {
    launch: postgres.start,
    kill: postgres.kill,
    // It has no other way to end in a test.
    askToStop: () => {},
  };
}
