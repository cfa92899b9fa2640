import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import type { Website } from '../../control/websites/website-row.ts';
import type { LiveListener } from '../../stats/live/watch-live.ts';
import { createLiveStreams } from './live-streams.ts';
import type { EventStream } from './open-event-stream.ts';

const checkMs = 7500;
const website = (id: number) => ({ id }) as Website;
const always = async () => true;

function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const followers = new Set<LiveListener>();
  const live = createLiveStreams({
    watcher: {
      follow(_website, listener) {
        followers.add(listener);
        return () => void followers.delete(listener);
      },
    },
    limits: { all: 5, byLinks: 3, ofOne: 2 },
    checkMs,
  });
  return { live, followers };
}

function stream() {
  const sent: string[] = [];
  const listeners: (() => void)[] = [];
  let isOpen = true;
  const made: EventStream = {
    send: (event, data) => void sent.push(`${event} ${data}`),
    beat: () => void sent.push('beat'),
    onClose: (listener) => void listeners.push(listener),
    close() {
      if (!isOpen) return;
      isOpen = false;
      for (const listener of listeners) listener();
    },
  };
  return { ...made, sent, isOpen: () => isOpen };
}

test('passes on what the watcher reports, until the stream is closed', (t) => {
  const { live, followers } = start(t);
  const one = stream();
  live.open({ website: website(1), userId: 1, isStillAllowed: always }, () => one);
  const [listener] = followers;
  listener!.onScene('{}');
  listener!.onAway('{"fault":"engine-away"}');
  assert.deepEqual(one.sent, ['scene {}', 'away {"fault":"engine-away"}']);
  assert.equal(live.count(), 1);
  one.close();
  assert.equal(live.count(), 0);
  assert.equal(followers.size, 0);
});

test('limits the streams of one viewer, of all links and of all, and frees a place when one is closed', (t) => {
  const { live } = start(t);
  const open = (userId: number | undefined, id = 1) => {
    const one = stream();
    live.open({ website: website(id), userId, isStillAllowed: always }, () => one);
    return one;
  };
  const refused = { code: 503, message: /Too many/ };
  const [first] = [open(undefined), open(undefined)];
  assert.throws(() => open(undefined), refused, 'a third one by the same link');
  open(undefined, 2);
  assert.throws(() => open(undefined, 3), refused, 'a fourth one by a link');
  open(7);
  open(7);
  assert.throws(() => open(8), refused, 'a sixth one');
  first!.close();
  open(8);
  assert.equal(live.count(), 5);
});

test('closes a stream that is no longer allowed, even when nobody can tell', async (t) => {
  const { live } = start(t);
  let isAllowed = true;
  const [one, other] = [stream(), stream()];
  live.open({ website: website(1), userId: 1, isStillAllowed: async () => isAllowed }, () => one);
  const fails = () => (isAllowed ? Promise.resolve(true) : Promise.reject(new Error('no database')));
  live.open({ website: website(1), userId: 2, isStillAllowed: fails }, () => other);
  t.mock.timers.tick(checkMs);
  await settle();
  t.mock.timers.tick(checkMs);
  await settle();
  assert.deepEqual(one.sent, ['beat']);
  assert.ok(one.isOpen() && other.isOpen());
  isAllowed = false;
  t.mock.timers.tick(checkMs);
  await settle();
  assert.ok(!one.isOpen() && !other.isOpen());
});

test('stopping closes all streams at once, and opens no more', (t) => {
  const { live } = start(t);
  const all = [stream(), stream()];
  for (const [at, one] of all.entries())
    live.open({ website: website(1), userId: at, isStillAllowed: always }, () => one);
  live.stop();
  assert.ok(all.every((one) => !one.isOpen()));
  assert.throws(() => live.open({ website: website(1), userId: 9, isStillAllowed: always }, () => stream()), {
    code: 503,
  });
});
