import { dataFolder } from '../../files/data-folder.ts';
import { measureRecords } from '../../store/move/list-contents.ts';
import type { CommandInput, CommandOutput } from '../command.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import type { MovePlaces } from './check-places.ts';
import { spellSeconds } from './move-progress.ts';
import { readMoveState } from './move-state.ts';
import { withSource } from './with-source.ts';

/** Says what a move would copy. Changes nothing on either side. */
export async function planMove(input: CommandInput, places: MovePlaces): Promise<CommandOutput> {
  const { isBack, isControlMoved } = places;
  const state = await readMoveState(dataFolder(input.config.dataDir).move);
  const outside = readOutsideStore(input.config)!;
  const { source, target } = await withSource(input, { isBack, outside }, async (from, to) => ({
    source: await measureRecords(from),
    target: to === undefined ? undefined : await measureRecords(to),
  }));
  const left = Math.max(0, source.records - (target?.records ?? 0));
  const { recordsPerSecond } = state;
  const seconds = recordsPerSecond === undefined ? null : Math.ceil(left / recordsPerSecond);
  const count = (n: number) => n.toLocaleString('en-US');
  const lines = [
    `Records to move: ${count(source.records)}, ${spellBytes(source.bytes)} on disk.`,
    `Already at the target: ${target === undefined ? 'unknown until the first copy' : count(target.records)}.`,
  ];
  if (seconds !== null)
    lines.push(
      `At ${count(Math.round(recordsPerSecond!))} records per second, as last time: ${spellSeconds(seconds)}.`,
    );
  lines.push(
    isControlMoved
      ? 'The move is finished already.'
      : `Nothing was changed. To begin: trackside move${isBack ? ' --back' : ''}`,
  );
  return {
    json: {
      direction: isBack ? 'back' : 'out',
      isFinished: isControlMoved,
      source,
      target: target ?? null,
      secondsLeft: seconds,
    },
    text: lines.join('\n'),
  };
}

function spellBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${value.toLocaleString('en-US', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`;
}
