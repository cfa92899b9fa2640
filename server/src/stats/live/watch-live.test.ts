import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { createFakeClock, createTestLog } from '../../control/test-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { LiveScene } from '../reports/ask-live-scene.ts';
import { watchLive } from './watch-live.ts';

const restMs = 2000;
const repeatMs = 10_000;
const website = (id: number) => ({ id }) as Website;

/** Starts a watcher whose store and clock the test controls. */
function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { log, messages } = createTestLog();
  const asked: number[] = [];
  const store = { visitors: 1, fault: undefined as Error | undefined, tookMs: 0 };
  let running = 0;
  const watcher = watchLive({
    async ask({ id }) {
      asked.push(id);
      running += 1;
      assert.equal(running, 1, 'two questions at once');
      await settle();
      clock.pass(store.tookMs);
      running -= 1;
      if (store.fault !== undefined) throw store.fault;
      return { visitors: store.visitors, asOf: new Date(clock.now()).toISOString() } as LiveScene & {
        asOf: string;
      };
    },
    readFault: (error) => ({ fault: 'engine-away', message: (error as Error).message, isOurs: true }),
    restMs,
    repeatMs,
    clock,
    log,
  });
  t.after(() => watcher.stop());

  const answered = async () => {
    for (let turns = 0; turns < 20; turns += 1) await settle();
  };
  return {
    watcher,
    asked,
    store,
    messages,
    answered,
    async pass(ms: number): Promise<void> {
      clock.pass(ms);
      t.mock.timers.tick(ms);
      await answered();
    },
  };
}

function listener() {
  const heard: string[] = [];
  return {
    heard,
    onScene: (json: string) => void heard.push(String(JSON.parse(json).visitors)),
    onAway: (json: string) => void heard.push(JSON.parse(json).message),
  };
}

test('a hundred listeners cost one question at a time, and all hear the same', async (t) => {
  const { watcher, asked, store, answered, pass } = start(t);
  const many = Array.from({ length: 100 }, listener);
  for (const one of many) watcher.follow(website(1), one);
  await answered();
  for (const visitors of [2, 3, 4]) {
    store.visitors = visitors;
    await pass(restMs);
  }
  assert.equal(asked.length, 4);
  assert.equal(watcher.questions(), 4);
  for (const { heard } of many) assert.deepEqual(heard, ['1', '2', '3', '4']);
});

test('sends an unchanged scene again only to update its time', async (t) => {
  const { watcher, asked, answered, pass } = start(t);
  const { heard, ...one } = listener();
  watcher.follow(website(1), one);
  await answered();
  for (let looks = 1; looks <= 4; looks += 1) await pass(restMs);
  assert.equal(asked.length, 5);
  assert.deepEqual(heard, ['1']);
  await pass(restMs);
  assert.deepEqual(heard, ['1', '1']);
});

test('leaves a website alone for five times as long as the last question took', async (t) => {
  const { watcher, asked, store, answered, pass } = start(t);
  store.tookMs = 1000;
  watcher.follow(website(1), listener());
  await answered();
  await pass(4999);
  assert.equal(asked.length, 1);
  await pass(1);
  assert.equal(asked.length, 2);
});

test('looks at websites one after the other, and those that wait rest longer', async (t) => {
  const { watcher, asked, store, answered, pass } = start(t);
  store.tookMs = 1000;
  for (const id of [1, 2, 3]) watcher.follow(website(id), listener());
  await answered();
  assert.deepEqual(asked, [1, 2, 3]);
  await pass(5000);
  assert.deepEqual(asked, [1, 2, 3, 1]);
});

test('a later listener hears at once what is known, without a question', async (t) => {
  const { watcher, asked, answered } = start(t);
  watcher.follow(website(1), listener());
  await answered();
  const { heard, ...late } = listener();
  watcher.follow(website(1), late);
  assert.deepEqual(heard, ['1']);
  assert.equal(asked.length, 1);
});

test('listeners that come and go add no questions, and without listeners there are none', async (t) => {
  const { watcher, asked, answered, pass } = start(t);
  for (let times = 0; times < 50; times += 1) {
    watcher.follow(website(1), listener())();
    await answered();
  }
  assert.equal(asked.length, 1);
  await pass(restMs);
  await pass(restMs);
  assert.equal(asked.length, 1, 'nobody listens');
  watcher.follow(website(1), listener());
  await answered();
  assert.equal(asked.length, 2);
});

test('each listener hears once that the store is away, and then the next scene', async (t) => {
  const { watcher, store, messages, answered, pass } = start(t);
  const first = listener();
  watcher.follow(website(1), first);
  await answered();
  store.fault = new Error('away');
  await pass(restMs);
  await pass(restMs);
  const late = listener();
  watcher.follow(website(1), late);
  assert.deepEqual(late.heard, ['away']);
  store.fault = undefined;
  await pass(restMs);
  assert.deepEqual(first.heard, ['1', 'away', '1']);
  assert.deepEqual(late.heard, ['away', '1']);
  assert.equal(messages.length, 1, 'one line in the log');
});

test('asks nothing after it was stopped', async (t) => {
  const { watcher, asked, answered, pass } = start(t);
  watcher.follow(website(1), listener());
  await answered();
  watcher.stop();
  await pass(restMs);
  assert.equal(asked.length, 1);
});
