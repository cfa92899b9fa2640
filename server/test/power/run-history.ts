import { createRandom, type Random } from '../torture/create-random.ts';
import { loadBatch, openParts, type Parts, removeOldest, send, verifyBatches } from './live-once.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { checkParts, checkStore, createWorld, reload, type World } from './world.ts';

export type History = { broken: string[]; powerCuts: number; killed: number; accepted: number };

const lives = 4;
const stepsOfLife = 12;
/** About as many changes as a life makes. */
const changesOfLife = 90;

/**
 * Runs a journal and its ledger on a disk that loses power several times, also in the middle of a start. Some
 * of the times, only the process is killed. The seed alone decides what happens.
 */
export async function runHistory(seed: number): Promise<History> {
  const random = createRandom(seed);
  const onBroken = (error: Error) => void world.broken.push(`the journal broke: ${error.message}`);
  // Every other history has segments that are made ahead of time.
  const world: World = createWorld(onBroken, { readyBytes: seed % 2 === 0 ? 0 : 900 });
  let disk = new SimulatedDisk(random);
  const history: History = { broken: world.broken, powerCuts: 0, killed: 0, accepted: 0 };
  for (let life = 1; life <= lives && world.broken.length === 0; life += 1) {
    disk.cutAtChange = random.isOnce(4) ? random.whole(1, 15) : random.whole(1, changesOfLife);
    await live(disk, world, random);
    // What a killed process has written may still be lost later, if the next one only reads it.
    const isKilled = random.isOnce(3);
    history[isKilled ? 'killed' : 'powerCuts'] += 1;
    disk = isKilled ? disk.afterKill() : disk.afterPowerCut();
  }
  if (world.broken.length === 0) await finish(disk.afterPowerCut(), world);
  history.accepted = world.accepted.size;
  return history;
}

async function live(disk: SimulatedDisk, world: World, random: Random): Promise<void> {
  let journal: Parts['journal'] | undefined;
  const living = async () => {
    const parts = await openParts(disk, world);
    journal = parts.journal;
    await checkParts(parts, world);
    await reload(parts, world);
    await Promise.all([receive(parts, world, random), load(parts, world, random)]);
    disk.cutPowerNow();
  };
  await Promise.race([living(), disk.powerCut]);
  // This never ends without power, but it ends the journal's timers.
  void journal?.close();
}

async function receive(parts: Parts, world: World, random: Random): Promise<void> {
  for (let step = 0; step < stepsOfLife; step += 1) {
    const records = random.isOnce(3) ? random.whole(1, 25) : 1;
    await Promise.all(Array.from({ length: records }, () => send(parts, world)));
    if (random.isOnce(8)) await parts.journal.rotate();
  }
}

async function load(parts: Parts, world: World, random: Random): Promise<void> {
  for (let step = 0; step < stepsOfLife; step += 1) {
    await loadBatch(parts, world, random.whole(1, 12));
    if (random.isOnce(3)) await verifyBatches(parts, world);
    if (random.isOnce(3)) world.checkpoint = parts.journal.answeredTo();
    if (random.isOnce(3)) await removeOldest(parts, world);
    if (random.isOnce(10)) await parts.ledger.replaceBatches([...parts.ledger.state.batches.values()]);
  }
}

/** Starts once more with power, loads everything and compares. */
async function finish(disk: SimulatedDisk, world: World): Promise<void> {
  const parts = await openParts(disk, world);
  await checkParts(parts, world);
  await reload(parts, world);
  while (await loadBatch(parts, world, 1000));
  checkStore(world);
  await parts.journal.close();
  await parts.ledger.close();
}
