import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runClockRound } from './torture/clock-mode.ts';
import { openClockScene } from './torture/open-clock-scene.ts';
import { type ClockStep, roundStartMs } from './torture/plan-clock.ts';

const dayMs = 86_400_000;

/** The clock goes back a day, and a month ends with its leap day. Then the contingents of both are used up. */
const steps: ClockStep[] = [
  { kind: 'jump', byMs: -dayMs, forMs: 300 },
  { kind: 'midnight', atMs: Date.parse('2028-03-01T00:00:00Z'), beforeMs: 300 },
];

// `npm run torture -- --mode clock` does the same at random, with kills.
test('contingents, visitors, visits and times stay right when the clock is set under load', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-clock-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const scene = await openClockScene(folder, roundStartMs, { isHere: true });
  t.after(() => scene.end());
  const { broken, round } = await runClockRound(scene, 1, steps, { clients: 2, limit: 25 });
  assert.deepEqual(broken, []);
  assert.ok(round.counts.accepted > 25 && round.counts.usedUp > 0, JSON.stringify(round.counts));
});
