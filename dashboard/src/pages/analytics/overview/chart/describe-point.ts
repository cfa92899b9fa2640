import type { Format } from '#format/create-format.ts';
import type { Comparison } from '../../view/view.ts';
import { metricTexts } from '../metric-texts.ts';
import type { TimeWords } from '../series/create-time-words.ts';
import type { Series } from '../series/series.ts';
import { spellChange } from '../spell-change.ts';
import { spellValue } from '../spell-value.ts';

export type PointText = { time: string; value: string; before: string | undefined };

export type Wording = { format: Format; words: TimeWords; today: string; compare: Comparison };

/** Describes one interval: its time, its value, and the value it is compared with. */
export function describePoint(series: Series, index: number, wording: Wording): PointText {
  const { interval, period, times, begun } = series;
  const { words, today } = wording;
  const time = words.span(interval, period, times[index]!, times[index]!, today);
  return {
    time,
    value: index < begun ? describeValue(series, index, wording) : 'Still to come',
    before: describeBefore(series, index, wording),
  };
}

/** Describes the time range of a selection. */
export function describeSelection(
  { interval, period, times }: Series,
  anchor: number,
  at: number,
  { words, today }: Pick<Wording, 'words' | 'today'>,
): string {
  const [first, last] = [times[Math.min(anchor, at)]!, times[Math.max(anchor, at)]!];
  return words.span(interval, period, first, last, today);
}

/** Puts a description into one sentence for screen readers. */
export function speakPoint({ time, value, before }: PointText): string {
  return [`${time}: ${value}`, before].filter(Boolean).join(', ');
}

function describeValue(series: Series, index: number, { format }: Wording): string {
  const { kind, unit } = metricTexts[series.metric];
  const value = series.values[index] ?? null;
  if (value === null) return 'No visits';
  const spelt = `${spellValue(kind, value, format)} ${unit[value === 1 ? 0 : 1]}`;
  return index === series.unfinished ? `${spelt} so far` : spelt;
}

function describeBefore(series: Series, index: number, { format, compare }: Wording): string | undefined {
  const { metric, before, values, unfinished } = series;
  const was = before?.[index] ?? null;
  if (was === null) return undefined;
  const when = compare === 'previousYear' ? 'the year before' : 'before';
  const text = `${spellValue(metricTexts[metric].kind, was, format)} ${when}`;
  // A part of a day is not compared with a whole one.
  if (index === unfinished) return text;
  const change = spellChange({ metric, now: values[index] ?? null, before: was, format, digits: 0 });
  return change === undefined || was === 0 ? text : `${text} · ${change.text}`;
}
