import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastUsage } from './forecast-usage.ts';

const resetsAt = '2026-12-01T00:00:00.000Z';
const longAgo = '2026-01-01T00:00:00.000Z';
const at = (time: string) => Date.parse(time);

test('continues at the pace of the month so far', () => {
  const usage = { used: 100_000, refused: 0, limit: 250_000, resetsAt };
  const forecast = forecastUsage(usage, longAgo, at('2026-11-16T00:00:00.000Z'));
  assert.deepEqual(forecast, { total: 200_000, usedUpAt: undefined });
});

test('says when the contingent will be used up', () => {
  const usage = { used: 100_000, refused: 0, limit: 150_000, resetsAt };
  const forecast = forecastUsage(usage, longAgo, at('2026-11-11T00:00:00.000Z'));
  assert.deepEqual(forecast, { total: 300_000, usedUpAt: '2026-11-16T00:00:00.000Z' });
});

test('counts from the day on which the website was added', () => {
  const usage = { used: 1_000, refused: 0, limit: null, resetsAt };
  const forecast = forecastUsage(usage, '2026-11-20T00:00:00.000Z', at('2026-11-21T00:00:00.000Z'));
  assert.equal(forecast?.total, 11_000);
});

test('predicts nothing while it is too early to tell', () => {
  assert.equal(
    forecastUsage(
      { used: 5_000, refused: 0, limit: null, resetsAt },
      longAgo,
      at('2026-11-01T06:00:00.000Z'),
    ),
    undefined,
  );
  assert.equal(
    forecastUsage({ used: 12, refused: 0, limit: null, resetsAt }, longAgo, at('2026-11-16T00:00:00.000Z')),
    undefined,
  );
  assert.equal(
    forecastUsage(
      { used: 5_000, refused: 0, limit: null, resetsAt },
      longAgo,
      at('2026-12-01T00:00:00.000Z'),
    ),
    undefined,
  );
});
