import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { overviewWords } from '../overview-words.ts';
import { createTimeWords } from '../series/create-time-words.ts';
import type { Series } from '../series/series.ts';
import { describePoint, describeSelection, speakPoint, type Wording } from './describe-point.ts';

const wording: Wording = {
  format: createFormat({ locale: 'en-GB', timeZone: 'UTC' }),
  times: createTimeWords({ locale: 'en-GB' }),
  words: overviewWords,
  today: '2026-11-05',
};
const series: Series = {
  metric: 'visitors',
  interval: 'day',
  period: { from: '2026-11-03', to: '2026-11-06' },
  times: ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'],
  values: [2398, 1, 612, null],
  before: [1402, 0, 1500, 1600],
  comparison: { from: '2026-10-30', to: '2026-11-02' },
  beforeTimes: ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'],
  begun: 3,
  unfinished: 2,
};
const describe = (index: number, of: Partial<Series> = {}, how: Partial<Wording> = {}) =>
  describePoint({ ...series, ...of }, index, { ...wording, ...how });

test('says when, how many, and how many before', () => {
  const point = describe(0);
  assert.deepEqual(point, {
    time: 'Tuesday 3 November',
    value: '2,398 visitors (+71%)',
    before: 'Friday 30 October: 1,402 visitors',
  });
  assert.equal(
    speakPoint(point, wording),
    'Tuesday 3 November: 2,398 visitors (+71%), Friday 30 October: 1,402 visitors',
  );
});

test('uses the singular for one, and shows no change when nothing came before', () => {
  assert.deepEqual([describe(1).value, describe(1).before], ['1 visitor', 'Saturday 31 October: 0 visitors']);
});

test('marks the current interval as unfinished, and does not compare it with a whole one', () => {
  assert.deepEqual(
    [describe(2).value, describe(2).before],
    ['612 visitors so far', 'Sunday 1 November: 1,500 visitors'],
  );
});

test('does not describe the future as zero', () => {
  assert.deepEqual(
    [describe(3).value, describe(3).before],
    ['Not yet available', 'Monday 2 November: 1,600 visitors'],
  );
});

test('says nothing about a comparison when there is none', () => {
  const point = describe(0, { before: undefined });
  assert.equal(point.before, undefined);
  assert.equal(speakPoint(point, wording), 'Tuesday 3 November: 2,398 visitors');
});

test('formats rates and durations in their own words', () => {
  const of = (metric: Series['metric'], value: number | null, before: number) =>
    describe(0, { metric, values: [value], before: [before] });
  assert.deepEqual(
    [of('bounceRate', 0.38, 0.42).value, of('bounceRate', 0.38, 0.42).before],
    ['38% bounced (−4 pts)', 'Friday 30 October: 42% bounced'],
  );
  assert.equal(of('visitDuration', 161, 100).value, '2m 41s per visit (+61%)');
  assert.equal(of('viewsPerVisit', null, 2).value, 'No visits');
});

test('describes the comparison even without its time', () => {
  assert.equal(describe(0, { beforeTimes: [undefined] }).before, '1,402 visitors in the previous period');
});

test('describes a second metric too, unless it is in the future', () => {
  const second = { metric: 'pageViews' as const, values: [9000, 1, 700, null] };
  assert.equal(describe(0, { second }).second, '9,000 page views');
  assert.match(speakPoint(describe(1, { second }), wording), /: 1 visitor, 1 page view, Saturday/);
  assert.equal(describe(3, { second }).second, undefined);
});

test('describes a selection from its first to its last day, in either direction', () => {
  const time = describeSelection(series, 2, 0, wording);
  assert.match(time, /^3\s?–\s?5 November$/);
  assert.equal(describeSelection(series, 0, 2, wording), time);
});
