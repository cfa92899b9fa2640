import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, toDay } from '@trackside/contract/calendar/day.ts';
import { findOtherContent, readLastRewrite, removeDay } from '../../store/move/check-content.ts';
import { copyMonth } from '../../store/move/copy-month.ts';
import { type Amount, isSameAmount, listDays, listMonths } from '../../store/move/list-contents.ts';
import { isMutating } from '../../store/remove-rows.ts';
import type { CommandInput } from '../command.ts';
import type { MoveProgress } from './move-progress.ts';
import type { MoveState } from './move-state.ts';
import type { Sides } from './with-sides.ts';

type Options = {
  sides: Sides;
  state: MoveState;
  save: () => Promise<void>;
  mark: string;
  /** Whether nothing can change anymore, so that both stores must end up the same. */
  isFinal: boolean;
  clock: CommandInput['clock'];
  progress: MoveProgress;
  mayGoOn: () => void;
};

/** What arrives while a pass runs is left to the next one, until that is so little. */
const fewRecords = 20_000;
const maxPasses = 20;
const openDays = 2;

/** Copies what is missing at the other side, pass by pass, and compares what was copied value by value. */
export async function moveRecords(options: Options): Promise<void> {
  const { sides, clock, isFinal, progress } = options;
  const [from, to] = [sides.from.forMove(), sides.to.forMove()];
  const openFrom = toDay(clock.now() - openDays * dayMs);
  // A removal that was begun may end now, but a rewrite must not change what was compared.
  while (isFinal && (await isMutating(from, 'records'))) await delay(250);
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const [here, there] = [await listMonths(from), await listMonths(to)];
    const months = [...new Set([...here.keys(), ...there.keys()])].sort((one, other) => one - other);
    const different = months.filter((month) => !isSameAmount(here.get(month), there.get(month)));
    const toCopy = different.reduce((sum, month) => sum + gap(here.get(month), there.get(month)), 0);
    progress.begin(toCopy);
    for (const month of different)
      await copyMonth(
        {
          from,
          to,
          mark: options.mark,
          openFrom,
          onCopied: progress.copied,
          onRemoved: progress.removed,
          mayGoOn: options.mayGoOn,
        },
        month,
      );
    if (toCopy > (isFinal ? 0 : fewRecords)) continue;
    if (!(await checkDays(options, openFrom))) return;
  }
}

const gap = (one: Amount | undefined, other: Amount | undefined): number =>
  Math.max(1, Math.abs((one?.records ?? 0) - (other?.records ?? 0)));

/** Compares days that weren't compared yet, and removes copies that are wrong. Returns whether there were any. */
async function checkDays(options: Options, openFrom: string): Promise<boolean> {
  const { sides, state, save, isFinal, progress } = options;
  const [from, to] = [sides.from.forMove(), sides.to.forMove()];
  const which = {
    fromStore: await sides.from.uuid(),
    toStore: await sides.to.uuid(),
    lastRewrite: await readLastRewrite(from),
  };
  const { fromStore, toStore, lastRewrite } = state.checked;
  const isKnown =
    fromStore === which.fromStore && toStore === which.toStore && lastRewrite === which.lastRewrite;
  state.checked = { ...which, days: isKnown ? { ...state.checked.days } : {} };
  let hasWrong = false;
  for (const month of (await listMonths(from)).keys()) {
    const [here, there] = [sumDays(await listDays(from, month)), sumDays(await listDays(to, month))];
    const checked = state.checked.days;
    for (const [day, { records, summary }] of here) {
      if (checked[day] === summary || (!isFinal && day >= openFrom)) continue;
      options.mayGoOn();
      progress.checking(day);
      const websites = await findOtherContent(from, to, { day, records });
      if (websites.length > 0) await removeDay(to, day, websites);
      hasWrong ||= websites.length > 0;
      if (websites.length > 0 || there.get(day)?.summary !== summary) continue;
      checked[day] = summary;
      progress.checked();
    }
    await save();
  }
  return hasWrong;
}

/** Adds up the websites of each day. */
function sumDays(
  list: readonly (Amount & { websiteId: number; day: string })[],
): Map<string, { records: number; summary: string }> {
  const days = new Map<string, { records: number; sum: bigint }>();
  for (const { websiteId, day, records, checksum } of list) {
    const before = days.get(day) ?? { records: 0, sum: 0n };
    const sum = before.sum + BigInt(checksum) * BigInt(websiteId) + BigInt(records * websiteId);
    days.set(day, { records: before.records + records, sum: BigInt.asUintN(64, sum) });
  }
  return new Map(
    [...days].map(([day, { records, sum }]) => [day, { records, summary: `${records} ${sum.toString(36)}` }]),
  );
}
