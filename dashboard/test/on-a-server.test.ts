import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { isLongForm } from '../../server/test/support/long-form.ts';
import { testHead } from './analytics/head.ts';
import { testKeyboard } from './analytics/keyboard.ts';
import { testLive } from './analytics/live.ts';
import { openStage, type Stage } from './analytics/open-stage.ts';
import { testOverview } from './analytics/overview.ts';
import { testPanels } from './analytics/panels.ts';
import { testReports } from './analytics/reports.ts';
import { testShare } from './analytics/share.ts';
import { testFirstRecord, testStates } from './analytics/states.ts';
import { testFlow } from './flow.ts';
import { openServer, type Server } from './open-server.ts';
import { testQualityFlow } from './quality-flow.ts';
import { testSnippets } from './snippets/run-snippets.ts';

// A real server in a real browser, from the first start on. The numbers are those of records that were sent
// as customers send them.

let server: Server;
before(async () => {
  server = await openServer();
});
after(() => server?.close());

test('from the first start to the first record, and signing in', (t) => testFlow(t, server));

test('what became of the records that were sent', (t) => testQualityFlow(t, server));

test('serves what browsers and crawlers request on their own', async () => {
  for (const [path, type] of [
    ['/favicon.ico', 'image/x-icon'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
  ] as const) {
    const { status, headers } = await fetch(server.trackside.origin() + path);
    assert.deepEqual([status, headers.get('content-type')], [200, type], path);
  }
});

test('the code to copy', (t) => testSnippets(t, server.trackside));

type Part = [name: string, run: (t: TestContext, stage: Stage, page: Page) => Promise<void>];

const inLongForm = (...parts: Part[]): Part[] => (isLongForm ? parts : []);

/**
 * Runs the parts one after the other, in one window of a signed-in user: a new window would have to compile
 * all scripts and ask for all numbers again.
 */
async function testParts(t: TestContext, stage: Stage, page: Page, parts: readonly Part[]): Promise<void> {
  for (const [name, run] of parts) await t.test(name, (part) => run(part, stage, page));
}

test('the analytics page', { concurrency: 2 }, async (t) => {
  const stage = await openStage(server);
  const [first, second] = await Promise.all([
    stage.openPage({ isSignedIn: true }),
    stage.openPage({ isSignedIn: true }),
  ]);
  const inFirst = testParts(t, stage, first, [
    // Before the live view, which sends the other website a second visitor.
    ...inLongForm(['what the numbers are about', testHead]),
    ['the live view', testLive],
    ...inLongForm(
      ['the public page', testShare],
      ['the keyboard, and a phone', testKeyboard],
      ['while there are no numbers', testFirstRecord],
    ),
  ]);
  const inSecond = testParts(t, stage, second, [
    ['the cards and the chart', testOverview],
    ['the lists, and all of their rows', testPanels],
    ...inLongForm(['events, bots, funnels and retention', testReports]),
  ]);
  await Promise.all([inFirst, inSecond]);
  // It would keep asking for new numbers.
  await first.context().close();
  // Runs alone, because it kills the engine that the others ask.
  await testParts(t, stage, second, [['while numbers come, and while they cannot', testStates]]);
  assert.deepEqual(stage.faults, [], 'no page has complained');
});
