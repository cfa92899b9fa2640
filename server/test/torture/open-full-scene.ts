import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { killIfThere } from './launched-parts.ts';
import { openSingleScene } from './open-single-scene.ts';
import { openSmallDisk, type SmallDisk } from './open-small-disk.ts';
import type { Scene } from './scene.ts';
import { servingPids } from './serving-pids.ts';

/** How much of the disk is left for the server to use up, by how long it lasts. */
const leftBytes = (ms: number) => (ms % 2_000) * 1024;
/** The least that the settings allow, and a bound that is close to the disk's end. */
const limits = { TRACKSIDE_JOURNAL_MAX_BYTES: '100MB', TRACKSIDE_MIN_FREE_BYTES: '8MB' };

/** A server alone whose data folder is on a small file system, which becomes full under load. */
export async function openFullScene(
  folder: string,
  options: { seed: number; onFault?: (fault: string) => void; say?: (line: string) => void },
): Promise<Scene> {
  const { seed, onFault = () => {}, say = () => {} } = options;
  const disk = await openSmallDisk(folder);
  say(`the data folder is on ${disk.kind}, mounted at ${disk.path}`);
  const scene = await openSingleScene(disk.path, { workers: 1, seed, onFault, environment: limits }).catch(
    async (error: unknown) => {
      await disk.close();
      throw error;
    },
  );
  const dataDir = join(disk.path, 'data');
  const node = scene.parts.get('node')!;
  const endings: string[] = [];

  const whileFull = (name: string, work: (ms: number) => Promise<void>) => {
    const fault = async (ms: number): Promise<void> => {
      try {
        await work(ms);
      } finally {
        await disk.free();
      }
      if (servingPids(dataDir).length > 0) return;
      endings.push(`${name}: the server ended, and it should have waited for space`);
      await node.launch();
    };
    return [name, fault] as const;
  };

  return {
    ...scene,
    // A command would need space too.
    works: [],
    isRefusalFinal: true,
    endings: () => endings.splice(0),
    faults: new Map(faultsOf(disk, scene).map(([name, work]) => whileFull(name, work))),
    async end() {
      await scene.end();
      await disk.close();
    },
  };
}

function faultsOf(disk: SmallDisk, { parts, children }: Scene) {
  const node = parts.get('node')!;
  const killInside = (kill: () => Promise<void>) => async (ms: number) => {
    const held = disk.holdFull(ms);
    await delay(ms / 3);
    await kill();
    await held;
  };
  const killNode = async () => {
    await node.kill();
    await node.launch();
  };
  const killEngine = async () => children.get('engine')!().forEach(killIfThere);
  const leaveSome = async (ms: number) => {
    await disk.leave(leftBytes(ms));
    await delay(ms);
  };
  return [
    ['the file system is full', disk.holdFull],
    ['the file system is nearly full', leaveSome],
    ['no inodes are left', disk.holdInodes],
    ['the file system is full, and the node is killed', killInside(killNode)],
    ['the file system is full, and the engine is killed', killInside(killEngine)],
  ] as const satisfies [string, (ms: number) => Promise<void>][];
}
