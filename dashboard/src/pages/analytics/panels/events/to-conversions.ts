import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import { shownText } from '@trackside/contract/stats/shown-text.ts';
import type { Format } from '#format/create-format.ts';
import type { Counted } from '#words/counted.ts';
import type { BarItem } from '../bar-list.tsx';

type Formats = Pick<Format, 'count' | 'percent'>;

/** Turns events into rows with the share of all visitors who triggered them. */
export function toConversions(
  rows: readonly AnswerRow[],
  allVisitors: number,
  format: Formats,
  visitorsForms: Counted,
): BarItem[] {
  return rows.map(({ dimensions, metrics }) => {
    const event = dimensions.event ?? '';
    const visitors = metrics.visitors ?? 0;
    return {
      key: event,
      label: shownText(event),
      value: visitors,
      note: format.count(visitors, visitorsForms),
      shown: spellRate(allVisitors > 0 ? Math.min(1, visitors / allVisitors) : 0, format),
    };
  });
}

/** All rates have one digit after the point, so that they can be compared at a glance. */
function spellRate(rate: number, format: Formats): string {
  // A tiny share is not zero.
  return rate > 0 && rate < 0.0005 ? `<${format.percent(0.001, 1)}` : format.percent(rate, 1);
}
