import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openControl } from '../../src/control/open-control.ts';
import { dataFolder } from '../../src/files/data-folder.ts';
import { openStore } from '../../src/store/open-store.ts';
import { systemClock } from '../../src/time/clock.ts';
import { copyEmptyStore } from '../support/copy-empty-store.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { createServerHere } from '../support/serve-here.ts';
import { shareCompiledCode } from '../support/share-compiled-code.ts';
import { createServerProcess, type ServerProcess } from '../support/spawn-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { nodeOf, type Part, partOf, type Scene } from './scene.ts';

/** Other threads of a server notice a little later that its clock was set. */
const othersMs = 50;
/** Longer than a server on a busy machine takes, which may also be stopping. */
const noticedWithinMs = 10_000;

export type ClockScene = Pick<Scene, 'control' | 'store' | 'output' | 'end'> & {
  node: Scene['nodes'][number];
  part: Part;
  /** The time of the server. */
  now(): number;
  /** How often the clock was set. Between two equal numbers, it has only gone forward. */
  settings(): number;
  /** Whether the server may not have noticed yet that its clock was set. */
  isBeingSet(): boolean;
  setClock(ms: number): Promise<void>;
};

/** Arguments of Node for a server whose clock is wrong by as many milliseconds as a file says. */
export const clockArguments = (file: string): string[] => [
  '--import',
  new URL(`set-clock.ts?${encodeURIComponent(file)}`, import.meta.url).href,
];

/** A server whose clock can be set, while it runs and while it is away. */
export async function openClockScene(
  folder: string,
  startMs: number,
  /** In this process, the server is given its clock, and can't be killed. */
  { isHere = false } = {},
): Promise<ClockScene> {
  await mkdir(folder, { recursive: true });
  const dataDir = join(folder, 'data');
  const clockFile = join(folder, 'clock');
  const log = pino({ level: 'silent' });
  const port = await findFreePort();
  const data = dataFolder(dataDir);
  shareCompiledCode(data.store);
  await copyEmptyStore(data.store);
  let wrongByMs = 0;
  let settings = 0;
  let isBeingSet = false;
  let mayNotice = () => false;
  const isNoticed = () => readFileSync(`${clockFile}.noticed`, 'utf8') === `${wrongByMs}\n`;
  const setClock = async (ms: number) => {
    settings += 1;
    isBeingSet = true;
    wrongByMs = Math.round(ms - Date.now());
    writeFileSync(clockFile, `${wrongByMs}\n`);
    // One that is away reads the file before it does anything else.
    const isOver = () => !mayNotice() || isNoticed();
    await waitFor('the server to notice its clock', isOver, noticedWithinMs).catch(() => {});
    await delay(othersMs);
    isBeingSet = false;
    settings += 1;
  };
  await setClock(startMs);
  const now = () => Date.now() + wrongByMs;
  const inProcess = () => createServerProcess({ dataDir, port, nodeArguments: clockArguments(clockFile) });
  const here = () =>
    createServerHere({ dataDir, port, clock: { now, monotonicMs: () => performance.now() } });
  const { server, part } = isHere ? unkillable(here()) : killable(inProcess());
  await server.start();
  mayNotice = () => 'hasEnded' in server && !isHere && !server.hasEnded();
  const control = await openControl({
    folder: data.control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const store = openStore({ socketPath: data.engineSocket, use: 'asking', log });
  return {
    node: nodeOf({ name: 'node', origin: `http://127.0.0.1:${port}`, dataDir }),
    part,
    now,
    settings: () => settings,
    isBeingSet: () => isBeingSet,
    setClock,
    control,
    store,
    output: () => server.output.join(''),
    async end() {
      await store.close();
      await control.close();
      await server.end('SIGKILL');
    },
  };
}

const killable = (server: ServerProcess) => ({ server, part: partOf(server) });

function unkillable(server: ReturnType<typeof createServerHere>) {
  const part: Part = {
    launch: server.start,
    kill: async () => void (await server.end('SIGTERM')),
    askToStop: () => {},
  };
  return { server, part };
}
