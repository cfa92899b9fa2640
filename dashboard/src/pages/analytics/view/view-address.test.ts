import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operators } from '@trackside/contract/stats/operators.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../server/test/support/any-character.ts';
import { dimensionNames, hasNames } from './dimensions.ts';
import { toFilter } from './filters.ts';
import { hasTimes } from './periods.ts';
import { cardMetrics, comparisons, namedPeriods, type Span, usualView, type View } from './view.ts';
import { changeSearch, effectiveView, readView, writeView } from './view-address.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 20 });
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2006-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

const span: fc.Arbitrary<Span> = fc
  .tuple(day, day, fc.constantFrom(10, 16))
  .map(([one, other, length]) => [one.slice(0, length), other.slice(0, length)].sort())
  .map(([from = '', to = '']) => ({ from, to }));

const filter: fc.Arbitrary<Filter> = fc
  .record({
    dimension: fc.constantFrom(...dimensionNames),
    of: fc.option(text, { nil: undefined }),
    operator: fc.constantFrom(...operators),
    values: fc.array(text, { minLength: 1, maxLength: 4 }),
  })
  .map(({ dimension, of, operator, values }) =>
    toFilter({ dimension, ...(hasNames(dimension) && of !== undefined && { of }) }, operator, values),
  );

const view: fc.Arbitrary<View> = fc.record({
  period: fc.oneof(fc.constantFrom(...namedPeriods), span),
  compare: fc.oneof(
    fc.constantFrom(...comparisons),
    span.filter((one) => !hasTimes(one)),
  ),
  interval: fc.constantFrom(undefined, 'minute', 'hour', 'day', 'week', 'month'),
  metric: fc.constantFrom(...cardMetrics),
  second: fc.constantFrom(undefined, ...cardMetrics),
  filters: fc.array(filter, { maxLength: 5 }),
  goal: fc.oneof(
    fc.constant(undefined),
    text.map((event) => ({ event: `${event}!` })),
    text.map((page) => ({ page: `/${page}` })),
  ),
});

test('any view survives being written to an address and read back', () => {
  fc.assert(fc.property(view, (one) => assert.deepEqual(readView(writeView(one)), { ...one })));
});

test('the default view needs no parameters, and other parameters stay', () => {
  assert.equal(writeView(usualView), '');
  assert.deepEqual(readView(''), usualView);
  assert.equal(
    writeView({ ...usualView, period: '7d' }, '?theme=dark&period=today'),
    '?period=7d&theme=dark',
  );
});

test('people can read an address', () => {
  const filters: Filter[] = [
    { dimension: 'country', is: 'DE' },
    { dimension: 'parameterValue', of: 'plan', contains: 'pro' },
    { dimension: 'page', anyOf: ['/a', '/b|c'] },
  ];
  const written = writeView({ ...usualView, period: { from: '2026-11-01', to: '2026-11-07' }, filters });
  assert.equal(
    written,
    '?period=2026-11-01..2026-11-07&f=country:is:DE' +
      '&f=parameterValue(plan):contains:pro&f=page:anyOf:/a%7C/b%5C%7Cc',
  );
});

test('ignores what it cannot read, and keeps the rest', () => {
  const search = [
    '?period=2026-02-30..2026-03-01&compare=often&interval=decade&metric=visits',
    'f=country:is:DE&f=planet:is:Mars&f=country:was:DE',
    'f=browser(x):is:y&f=parameterValue(%25E4):is:1&f=nonsense',
  ].join('&');
  assert.deepEqual(readView(search), {
    ...usualView,
    metric: 'visits',
    filters: [{ dimension: 'country', is: 'DE' }],
  });
});

test('a span consists of days or of minutes, and goes forward', () => {
  const periodOf = (period: string) => readView(`?period=${period}`).period;
  assert.deepEqual(periodOf('2026-11-03T14:00..2026-11-03T18:59'), {
    from: '2026-11-03T14:00',
    to: '2026-11-03T18:59',
  });
  for (const bad of ['2026-11-03..2026-11-03T18:59', '2026-11-04..2026-11-03', '2026-11-03', 'a..b', '..'])
    assert.equal(periodOf(bad), '30d', bad);
  assert.equal(periodOf('1980-01-01..2026-01-01'), '30d', 'longer than the server answers');
});

test('drops an interval that does not fit the new period', () => {
  const byHour = '?period=7d&interval=hour';
  assert.equal(changeSearch(byHour, { period: '90d' }, '2026-11-15'), '?period=90d');
  assert.equal(changeSearch(byHour, { period: 'today' }, '2026-11-15'), '?period=today&interval=hour');
});

test('a change keeps the rest of the view, and other parameters', () => {
  const changed = changeSearch('?period=7d&theme=dark', { metric: 'visits' }, '2026-11-15');
  assert.equal(changed, '?period=7d&metric=visits&theme=dark');
});

test('all time has no previous period', () => {
  assert.equal(effectiveView({ ...usualView, period: 'all' }).compare, 'none');
  assert.equal(
    effectiveView({ ...usualView, period: 'all', compare: 'previousYear' }).compare,
    'previousYear',
  );
  assert.deepEqual(effectiveView(usualView), usualView);
});

test('the chart shows a metric that is meaningful under the filters', () => {
  const ofEvent: View = {
    ...usualView,
    metric: 'bounceRate',
    filters: [{ dimension: 'event', is: 'Signup' }],
  };
  assert.equal(effectiveView(ofEvent).metric, 'visitors');
  assert.equal(effectiveView({ ...ofEvent, metric: 'conversionRate' }).metric, 'conversionRate');
  assert.equal(effectiveView({ ...ofEvent, metric: 'events', filters: [] }).metric, 'visitors');
  assert.equal(effectiveView({ ...ofEvent, second: 'events' }).second, 'events');
  assert.equal(effectiveView({ ...ofEvent, second: 'pageViews' }).second, undefined);
  assert.equal(effectiveView({ ...usualView, second: 'visitors' }).second, undefined, 'it is the first');
});
