import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import type { Format } from '#format/create-format.ts';
import type { BarItem } from '../bar-list.tsx';

/** Turns events into rows with the share of all visitors who triggered them. */
export function toConversions(
  rows: readonly AnswerRow[],
  allVisitors: number,
  format: Pick<Format, 'number'>,
): BarItem[] {
  return rows.map(({ dimensions, metrics }) => {
    const event = dimensions.event ?? '';
    const visitors = metrics.visitors ?? 0;
    const percent = allVisitors > 0 ? Math.min(100, (100 * visitors) / allVisitors) : 0;
    return {
      key: event,
      label: event,
      value: visitors,
      note: `${format.number(visitors)} ${visitors === 1 ? 'visitor' : 'visitors'}`,
      shown: spellPercent(percent, format),
    };
  });
}

function spellPercent(percent: number, format: Pick<Format, 'number'>): string {
  // A tiny share is not zero.
  if (percent > 0 && percent < 0.01) return '<0.01%';
  return `${format.number(Number(percent.toPrecision(percent < 10 ? 2 : 3)))}%`;
}
