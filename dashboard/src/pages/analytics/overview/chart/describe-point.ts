import type { Format } from '#format/create-format.ts';
import { metricTraits, withUnit } from '../metric-traits.ts';
import type { OverviewWords } from '../overview-words.ts';
import type { TimeWords } from '../series/create-time-words.ts';
import type { Series } from '../series/series.ts';
import { spellChange } from '../spell-change.ts';
import { spellValue } from '../spell-value.ts';

export type PointText = {
  time: string;
  value: string;
  before: string | undefined;
  /** The value of the other metric. */
  second?: string | undefined;
};

export type Wording = {
  format: Format;
  times: TimeWords;
  words: OverviewWords;
  today: string;
};

/** Describes one interval: its time, its value, and the value it is compared with. */
export function describePoint(series: Series, index: number, wording: Wording): PointText {
  const { interval, period, times, begun } = series;
  const { words, today } = wording;
  const time = wording.times.span(interval, period, times[index]!, times[index]!, today);
  return {
    time,
    value: index < begun ? withChange(series, index, wording) : words.chart.toCome,
    before: describeBefore(series, index, wording),
    ...(series.second !== undefined &&
      index < begun && { second: describeSecond(series.second, index, wording) }),
  };
}

/** Describes the time range of a selection. */
export function describeSelection(
  { interval, period, times }: Series,
  anchor: number,
  at: number,
  wording: Pick<Wording, 'times' | 'today'>,
): string {
  const [first, last] = [times[Math.min(anchor, at)]!, times[Math.max(anchor, at)]!];
  return wording.times.span(interval, period, first, last, wording.today);
}

/** Puts a description into one sentence for screen readers. */
export function speakPoint(text: PointText, { words }: Pick<Wording, 'words'>): string {
  const { time, value, second, before } = text;
  return [words.chart.point(time, value), second, before].filter(Boolean).join(', ');
}

function describeValue(series: Series, index: number, { format, words }: Wording): string {
  const { metric } = series;
  const value = series.values[index] ?? null;
  if (value === null) return words.chart.noVisits;
  const spelt = withUnit(metric, value, spellValue(metricTraits[metric].kind, value, format), words);
  return index === series.unfinished ? words.chart.soFar(spelt) : spelt;
}

/** The change stands behind the value that has changed, not behind the one it is compared with. */
function withChange(series: Series, index: number, wording: Wording): string {
  const { format, words } = wording;
  const { metric, before, values, unfinished } = series;
  const text = describeValue(series, index, wording);
  const was = before?.[index] ?? null;
  // A part of a day is not compared with a whole one.
  if (was === null || was === 0 || index === unfinished) return text;
  const now = values[index] ?? null;
  const change = spellChange({ metric, now, before: was, format, words: words.change });
  return change === undefined ? text : `${text} (${change.text})`;
}

function describeBefore(series: Series, index: number, wording: Wording): string | undefined {
  const { format, words } = wording;
  const { metric, before } = series;
  const was = before?.[index] ?? null;
  if (was === null) return undefined;
  const spelt = spellValue(metricTraits[metric].kind, was, format);
  return sayBefore(series, index, withUnit(metric, was, spelt, words), wording);
}

/** Says what was before, and when that was. */
function sayBefore(series: Series, index: number, value: string, wording: Wording): string {
  const { interval, comparison, beforeTimes } = series;
  const { words, times, today } = wording;
  const start = beforeTimes?.[index];
  if (start === undefined || comparison === undefined) return words.chart.previous(value);
  return words.chart.point(times.span(interval, comparison, start, start, today), value);
}

function describeSecond(
  { metric, values }: NonNullable<Series['second']>,
  index: number,
  { format, words }: Wording,
): string {
  const value = values[index] ?? null;
  if (value === null) return words.chart.noVisits;
  return withUnit(metric, value, spellValue(metricTraits[metric].kind, value, format), words);
}
