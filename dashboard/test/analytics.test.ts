import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { testHead } from './analytics/head.ts';
import { testKeyboard } from './analytics/keyboard.ts';
import { testLive } from './analytics/live.ts';
import { openStage, type Stage } from './analytics/open-stage.ts';
import { testOverview } from './analytics/overview.ts';
import { testPanels } from './analytics/panels.ts';
import { testReports } from './analytics/reports.ts';
import { testShare } from './analytics/share.ts';
import { testStates } from './analytics/states.ts';

// The analytics of a real server in a real browser, with numbers of records that came in as those of
// customers do.

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await stage?.close();
});

type Part = [name: string, run: (t: TestContext, stage: Stage, page: Page) => Promise<void>];

/**
 * One after the other, in the order given, in one window of somebody who is signed in: a new one has all
 * script to compile and all numbers to ask for again.
 */
async function testParts(t: TestContext, page: Page, parts: readonly Part[]): Promise<void> {
  for (const [name, run] of parts) await t.test(name, (part) => run(part, stage, page));
}

test('the analytics page', { concurrency: 2 }, async (t) => {
  const [first, second] = await Promise.all([
    stage.openPage({ isSignedIn: true }),
    stage.openPage({ isSignedIn: true }),
  ]);
  const inFirst = testParts(t, first, [
    ['what the numbers are about', testHead],
    ['the live view', testLive],
    ['the public page', testShare],
    ['the keyboard, and a phone', testKeyboard],
  ]);
  const inSecond = testParts(t, second, [
    ['the cards and the chart', testOverview],
    ['the lists, and all of their rows', testPanels],
    ['events, bots, funnels and retention', testReports],
  ]);
  await Promise.all([inFirst, inSecond]);
  // It would go on asking for new numbers.
  await first.context().close();
  // Alone: it kills the engine that the others ask.
  await testParts(t, second, [['while numbers come, and while there are none', testStates]]);
  assert.deepEqual(stage.faults, [], 'no page has complained');
});
