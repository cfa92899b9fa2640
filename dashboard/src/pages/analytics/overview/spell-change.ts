import type { Format } from '#format/create-format.ts';
import type { CardMetric } from '../view/view.ts';
import { metricTexts } from './metric-texts.ts';

export type Change = { text: string; tone: 'good' | 'bad' | 'even' };

type Asked = {
  metric: CardMetric;
  now: number | null;
  before: number | null;
  format: Pick<Format, 'number'>;
  /** The fraction digits of a percentage below 100. */
  digits: 0 | 1;
};

const mostPercent = 9_999;

/** Describes how a value differs from the compared one. Undefined when there is nothing to compare. */
export function spellChange({ metric, now, before, format, digits }: Asked): Change | undefined {
  const { kind, isLessBetter = false } = metricTexts[metric];
  if (now === null) return undefined;
  if (kind === 'share') {
    // The change of a share is given in percentage points, because a percentage of it would say little.
    if (before === null) return undefined;
    const points = Math.round((now - before) * 100);
    return {
      text: `${signed(points, format.number(Math.abs(points)))} ${Math.abs(points) === 1 ? 'pt' : 'pts'}`,
      tone: toneOf(points, isLessBetter),
    };
  }
  if (before === null || before === 0) {
    return now === 0 ? { text: '0%', tone: 'even' } : { text: 'new', tone: toneOf(now, isLessBetter) };
  }
  const percent = 100 * (now / before - 1);
  const scale = Math.abs(percent) < 100 ? 10 ** digits : 1;
  const rounded = Math.round(percent * scale) / scale;
  const size = format.number(Math.min(Math.abs(rounded), mostPercent));
  return {
    text: `${rounded > mostPercent ? '> ' : ''}${signed(rounded, size)}%`,
    tone: toneOf(rounded, isLessBetter),
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
