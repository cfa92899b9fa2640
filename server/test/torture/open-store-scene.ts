import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openControl } from '../../src/control/open-control.ts';
import { dataFolder } from '../../src/files/data-folder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { outsideEnvironment, outsideStoreAt } from '../support/outside-environment.ts';
import { createServerProcess } from '../support/spawn-server.ts';
import { startEngineService } from '../support/start-engine-service.ts';
import { clockArguments } from './open-clock-scene.ts';
import { insertFaults, openFaultyStore } from './open-faulty-store.ts';
import { childrenOf, nodeOf, partOf, pidOf, type Scene } from './scene.ts';

const hourMs = 3_600_000;
/** Far enough from the end of the month for all hours of a run. */
const startMs = Date.parse('2028-03-02T08:00:00Z');
/** Without an INSERT for this long, there is nothing to disturb: something else is away. */
const insertWithinMs = 30_000;
/** An INSERT that arrives late is found when all batches are compared again, five minutes later. */
const settleMs = 420_000;

/** A server whose store is an engine service, behind something that disturbs what is between them. */
export async function openStoreScene(folder: string): Promise<Scene> {
  mkdirSync(folder, { recursive: true });
  const dataDir = join(folder, 'data');
  const clockFile = join(folder, 'clock');
  const log = pino({ level: 'silent' });
  const cleanUps: (() => Promise<void>)[] = [];
  const enginePort = await findFreePort();
  const engine = await startEngineService(
    { after: (cleanUp) => void cleanUps.push(cleanUp) },
    { port: enginePort },
  );
  const faulty = await openFaultyStore({ host: '127.0.0.1', port: enginePort });
  const port = await findFreePort();
  let aheadMs = startMs - Date.now();
  const setClock = () => writeFileSync(clockFile, `${aheadMs}\n`);
  setClock();
  const server = createServerProcess({
    dataDir,
    port,
    environment: outsideEnvironment(faulty.origin),
    nodeArguments: clockArguments(clockFile),
  });
  await server.start();
  const control = await openControl({
    folder: dataFolder(dataDir).control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const store = openStore({ outside: outsideStoreAt(engine.origin()), use: 'asking', log });
  const stayAwayForHours = async (ms: number) => {
    await engine.end('SIGKILL');
    await delay(ms);
    aheadMs += 1.5 * hourMs + ms * 1_000;
    setClock();
    await delay(ms);
    engine.launch();
  };
  const faults = new Map<string, (ms: number) => Promise<void>>([
    ...insertFaults.map((fault) => {
      const disturb = async (ms: number) => void (await faulty.disturbNext(fault, ms, insertWithinMs + ms));
      return [`an INSERT: ${fault}`, disturb] as const;
    }),
    ['the store answers with errors', (ms) => faulty.failFor(2 * ms)],
    ['the store is slow', (ms) => faulty.slowDownFor(2 * ms, ms / 2)],
    ['the store is away for hours', stayAwayForHours],
  ]);
  return {
    nodes: [
      nodeOf({
        name: 'node',
        origin: `http://127.0.0.1:${port}`,
        dataDir,
        environment: outsideEnvironment(engine.origin()),
      }),
    ],
    parts: new Map([
      ['node', partOf(server)],
      ['engine service', partOf(engine)],
    ]),
    children: new Map([['engine', () => childrenOf(pidOf(engine), 'worker-main', false)]]),
    links: new Map(),
    works: [],
    faults,
    settleMs,
    now: () => Date.now() + aheadMs,
    control,
    store,
    output: () => [...engine.output, ...server.output].join(''),
    async end() {
      await store.close();
      await control.close();
      await server.end('SIGKILL');
      await faulty.close();
      for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    },
  };
}
