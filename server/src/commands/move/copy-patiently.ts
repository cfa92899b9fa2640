import { setTimeout as delay } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { dataFolder } from '../../files/data-folder.ts';
import { OperatorError } from '../../operator-error.ts';
import { CommandError, type CommandInput } from '../command.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import { StoreAway } from '../parts/with-store.ts';
import { isServerRunning } from '../server/is-server-running.ts';
import type { MovePlaces } from './check-places.ts';
import { refuseOtherRecords } from './check-stores.ts';
import { createMoveProgress } from './move-progress.ts';
import { moveRecords } from './move-records.ts';
import { readMoveState, writeMoveState } from './move-state.ts';
import { type Sides, withSides } from './with-sides.ts';

const mark = 'trackside-move-';
const patienceMs = 120_000;
const pauseMs = 1_000;
const lookEveryMs = 5_000;
/**
 * ClickHouse's errors that pass: limits of time and memory, connections, replicas, too many parts or
 * statements, a statement that was killed. Any other, such as a full disk, needs the operator.
 */
const passingCodes = [159, 202, 209, 210, 236, 241, 242, 252, 279, 319, 394, 425, 999, 1002].map(String);

/** A server was started, and needs the engine of the data folder. */
class MakeRoom extends Error {}

/** Copies the records, and waits for a store that goes away in the meantime. Then does the work. */
export async function copyPatiently(
  input: CommandInput,
  { isBack }: MovePlaces,
  { isHeld }: { isHeld: boolean },
  work: (sides: Sides) => Promise<void>,
): Promise<{ copied: number; removedBatches: number }> {
  const { config, clock } = input;
  const file = dataFolder(config.dataDir).move;
  const state = await readMoveState(file);
  const outside = readOutsideStore(config)!;
  const progress = createMoveProgress(input.progress);
  const save = async () => {
    state.recordsPerSecond = progress.perSecond() ?? state.recordsPerSecond;
    await writeMoveState(file, state);
  };
  let lookedMs = performance.now();
  const attempt = async (sides: Sides): Promise<void> => {
    await refuseOtherRecords(sides, state);
    await save();
    const mayGoOn = () => {
      const mayMakeRoom = sides.isOwnEngine && !isBack && !isHeld;
      if (!mayMakeRoom || performance.now() - lookedMs < lookEveryMs) return;
      lookedMs = performance.now();
      if (isServerRunning(config.dataDir)) throw new MakeRoom();
    };
    await moveRecords({ sides, state, save, mark, isFinal: isHeld, clock, progress, mayGoOn });
    await work(sides);
    await save();
  };
  for (;;) {
    try {
      await withSides(input, { isBack, outside, isHeld, mark }, attempt);
      return progress.totals;
    } catch (error) {
      if (error instanceof MakeRoom) continue;
      const why = error instanceof Error ? error.message : String(error);
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      const isLasting = error instanceof ClickHouseError && !passingCodes.includes(code);
      const isFinal = error instanceof OperatorError && !(error instanceof StoreAway);
      if (isFinal) throw error;
      if (isLasting || progress.stuckMs() > patienceMs) throw stopped(progress.totals.copied, why);
      progress.waiting(why);
      await delay(pauseMs);
    }
  }
}

function stopped(copied: number, why: string): CommandError {
  const records = `${copied.toLocaleString('en-US')} record${copied === 1 ? '' : 's'}`;
  return new CommandError(
    `The copy stopped after ${records}: ${why.replace(/\.$/, '')}. ` +
      'What was copied stays. Run the command again to go on.',
  );
}
