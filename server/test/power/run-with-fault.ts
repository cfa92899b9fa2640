import { AssertionError } from 'node:assert';
import { createRandom } from '../torture/create-random.ts';
import { loadBatch, openParts, type Parts, removeOldest, send, verifyBatches } from './live-once.ts';
import { type DiskCall, type Fault, SimulatedDisk } from './simulated-disk.ts';
import { checkParts, checkStore, createWorld, reload } from './world.ts';

export type Life = {
  /** Those of the life itself, without the comparison. */
  calls: DiskCall[];
  /** What doesn't hold. */
  broken: string[];
  /** Damage that was reported. What it names may be lost. */
  reports: string[];
  /** How often the journal asked the node to end. */
  restarts: number;
  refused: number;
};

const rounds = 5;
const recordsOfRound = 4;
/** A node that can't start is started again by its supervisor, or waits for space. */
const maxStarts = 5;

/**
 * Runs a journal and its ledger through a short life in which some calls to the disk fail, and compares at
 * the end, after a power cut. `passTime` lets the time pass for which a full disk isn't tried again.
 */
export async function runWithFault(
  findFault: (call: DiskCall) => Fault | undefined,
  passTime: () => void,
): Promise<Life> {
  const calls: DiskCall[] = [];
  /** The faults end before the comparison. */
  let lastCall: number | undefined;
  let restarts = 0;
  let mustRestart = false;
  const world = createWorld((error) => {
    if (error instanceof AssertionError) world.broken.push(`an invariant failed: ${error.message}`);
    mustRestart = true;
    restarts += 1;
  });
  const watch = (next: SimulatedDisk) => {
    next.findFault = (call) => {
      calls.push({ ...call, index: calls.length });
      return lastCall === undefined ? findFault(calls.at(-1)!) : undefined;
    };
    return next;
  };
  let disk = watch(new SimulatedDisk(createRandom(1)));

  const start = async (): Promise<Parts> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await openParts(disk, world);
      } catch (error) {
        if (attempt === maxStarts || error instanceof AssertionError) throw error;
        disk = watch(disk.afterKill());
      }
    }
  };
  let parts = await start();
  const restart = async (): Promise<void> => {
    await parts.journal.close().catch(() => {});
    disk = watch(disk.afterKill());
    parts = await start();
  };
  /** The loader tries again later. If the journal broke, the node has to start again. */
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch((error: unknown) => {
      if (error instanceof AssertionError) throw error;
    });
    if (!mustRestart) return;
    mustRestart = false;
    await restart();
  };
  const sendSome = () => Promise.all(Array.from({ length: recordsOfRound }, () => send(parts, world)));
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await attempt(sendSome);
      await attempt(() => loadBatch(parts, world, 3));
      await attempt(() => verifyBatches(parts, world));
      await attempt(() => parts.journal.rotate());
      world.checkpoint = parts.journal.answeredTo();
      await attempt(() => removeOldest(parts, world));
      passTime();
      if (round === rounds - 1) await restart();
    }
    lastCall = calls.length;
    passTime();
    const before = world.accepted.size;
    await sendSome();
    if (world.accepted.size !== before + recordsOfRound) world.broken.push('records are still refused');
    await parts.journal.close();
    await parts.ledger.close();
    disk = disk.afterPowerCut();
    parts = await openParts(disk, world);
    await checkParts(parts, world);
    await reload(parts, world);
    while (await loadBatch(parts, world, 1000));
    checkStore(world);
    await parts.journal.close();
  } catch (error) {
    world.broken.push(String(error));
  }
  const isReport = (line: string) => line.startsWith('damage was reported');
  const reports = world.broken.filter(isReport);
  const broken = world.broken.filter((line) => !isReport(line));
  return { calls: calls.slice(0, lastCall), broken, reports, restarts, refused: world.refused.size };
}
