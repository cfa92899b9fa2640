import type { Format } from '#format/create-format.ts';
import type { Comparison } from '../../view/view.ts';
import { metricTraits, withUnit } from '../metric-texts.ts';
import type { OverviewWords } from '../overview-words.ts';
import type { TimeWords } from '../series/create-time-words.ts';
import type { Series } from '../series/series.ts';
import { spellChange } from '../spell-change.ts';
import { spellValue } from '../spell-value.ts';

export type PointText = { time: string; value: string; before: string | undefined };

export type Wording = {
  format: Format;
  times: TimeWords;
  words: OverviewWords;
  today: string;
  compare: Comparison;
};

/** Describes one interval: its time, its value, and the value it is compared with. */
export function describePoint(series: Series, index: number, wording: Wording): PointText {
  const { interval, period, times, begun } = series;
  const { words, today } = wording;
  const time = wording.times.span(interval, period, times[index]!, times[index]!, today);
  return {
    time,
    value: index < begun ? describeValue(series, index, wording) : words.chart.toCome,
    before: describeBefore(series, index, wording),
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
export function speakPoint({ time, value, before }: PointText, { words }: Pick<Wording, 'words'>): string {
  return [words.chart.point(time, value), before].filter(Boolean).join(', ');
}

function describeValue(series: Series, index: number, { format, words }: Wording): string {
  const { metric } = series;
  const value = series.values[index] ?? null;
  if (value === null) return words.chart.noVisits;
  const spelt = withUnit(metric, value, spellValue(metricTraits[metric].kind, value, format), words);
  return index === series.unfinished ? words.chart.soFar(spelt) : spelt;
}

function describeBefore(series: Series, index: number, wording: Wording): string | undefined {
  const { format, words, compare } = wording;
  const { metric, before, values, unfinished } = series;
  const was = before?.[index] ?? null;
  if (was === null) return undefined;
  const say = compare === 'previousYear' ? words.chart.previousYear : words.chart.previous;
  const text = say(spellValue(metricTraits[metric].kind, was, format));
  // A part of a day is not compared with a whole one.
  if (index === unfinished) return text;
  const now = values[index] ?? null;
  const change = spellChange({ metric, now, before: was, format, words: words.change });
  return change === undefined || was === 0 ? text : `${text} · ${change.text}`;
}
