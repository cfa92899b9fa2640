import type { Format } from '#format/create-format.ts';
import type { CardMetric } from '../view/view.ts';
import { metricTraits } from './metric-traits.ts';
import type { OverviewWords } from './overview-words.ts';

export type Change = { text: string; tone: 'good' | 'bad' | 'even' };

type Asked = {
  metric: CardMetric;
  now: number | null;
  before: number | null;
  format: Pick<Format, 'count' | 'percent'>;
  words: OverviewWords['change'];
};

const mostShown = 99.99;

/** Describes how a value differs from the compared one. Undefined when there is nothing to compare. */
export function spellChange({ metric, now, before, format, words }: Asked): Change | undefined {
  const { kind, isLessBetter = false } = metricTraits[metric];
  if (now === null) return undefined;
  if (kind === 'share' || kind === 'rate') {
    // The change of a share is given in percentage points, because a percentage of it would say little.
    if (before === null) return undefined;
    const scale = kind === 'rate' ? 10 : 1;
    const points = Math.round((now - before) * 100 * scale) / scale;
    const text = signed(points, format.count(Math.abs(points), words.points));
    return { text, tone: toneOf(points, isLessBetter) };
  }
  if (before === null || before === 0) {
    return now === 0
      ? { text: format.percent(0), tone: 'even' }
      : { text: words.new, tone: toneOf(now, isLessBetter) };
  }
  // Whole percents, so that the changes beside each other are equally precise.
  const change = Math.round(100 * (now / before - 1)) / 100;
  const size = format.percent(Math.min(Math.abs(change), mostShown));
  return {
    text: `${change > mostShown ? '> ' : ''}${signed(change, size)}`,
    tone: toneOf(change, isLessBetter),
  };
}

function toneOf(difference: number, isLessBetter: boolean): Change['tone'] {
  if (difference === 0) return 'even';
  return difference > 0 === isLessBetter ? 'bad' : 'good';
}

function signed(value: number, size: string): string {
  if (value === 0) return size;
  return value > 0 ? `+${size}` : `−${size}`;
}
