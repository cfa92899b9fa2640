import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiveLines, type EventLine, type LiveState } from './create-live-lines.ts';

type FakeLine = EventLine & {
  path: string;
  readyState: number;
  fire(name: string, data?: unknown): void;
};

function setUp() {
  const opened: FakeLine[] = [];
  const timers: { callback: () => void; ms: number }[] = [];
  const watchers = new Set<() => void>();
  let isVisible = true;
  const lines = createLiveLines({
    open(path) {
      const listeners = new Map<string, (event: { data?: string }) => void>();
      const line: FakeLine = {
        path,
        readyState: 1,
        addEventListener: (name, listener) => void listeners.set(name, listener),
        close: () => {
          line.readyState = 2;
        },
        fire: (name, data) => listeners.get(name)?.({ data: JSON.stringify(data) }),
      };
      opened.push(line);
      return line;
    },
    isVisible: () => isVisible,
    listenForVisibility(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
    later(callback, ms) {
      const timer = { callback, ms };
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
  });
  return {
    lines,
    opened,
    timers,
    look(to: boolean) {
      isVisible = to;
      for (const watcher of watchers) watcher();
    },
    /** Ends the pending delay of this many milliseconds. */
    pass(ms: number) {
      const timer = timers.find((each) => each.ms === ms);
      assert.ok(timer, `nothing waits for ${ms} ms, only for ${timers.map((each) => each.ms)}`);
      timers.splice(timers.indexOf(timer), 1);
      timer.callback();
    },
  };
}

const scene = (visitors: number) => ({ visitors });
const visitorsOf = ({ scene }: LiveState) => scene?.visitors;

test('opens one line for everyone who listens to the same website', () => {
  const { lines, opened } = setUp();
  const told: (number | undefined)[] = [];
  lines.listen('/1', (state) => told.push(visitorsOf(state)));
  lines.listen('/1', (state) => told.push(visitorsOf(state)));
  opened[0]!.fire('scene', scene(24));
  assert.equal(opened.length, 1);
  assert.deepEqual(told, [undefined, undefined, 24, 24]);
});

test('tells a later listener at once what is known', () => {
  const { lines, opened } = setUp();
  lines.listen('/1', () => {});
  opened[0]!.fire('scene', scene(7));
  const told: (number | undefined)[] = [];
  lines.listen('/1', (state) => told.push(visitorsOf(state)));
  assert.deepEqual(told, [7]);
  assert.equal(lines.state('/1').scene?.visitors, 7);
});

test('closes the line when the last listener has left', () => {
  const { lines, opened } = setUp();
  const leave = [lines.listen('/1', () => {}), lines.listen('/1', () => {})];
  leave[0]!();
  assert.equal(opened[0]!.readyState, 1);
  leave[1]!();
  assert.equal(opened[0]!.readyState, 2);
  assert.equal(lines.state('/1').scene, undefined);
});

test('has no line while the page is hidden, and keeps what it knew', () => {
  const { lines, opened, look } = setUp();
  lines.listen('/1', () => {});
  opened[0]!.fire('scene', scene(24));
  look(false);
  assert.equal(opened[0]!.readyState, 2);
  look(true);
  assert.equal(opened.length, 2);
  assert.equal(lines.state('/1').scene?.visitors, 24);
});

test('says that the store is away until the next scene', () => {
  const { lines, opened } = setUp();
  lines.listen('/1', () => {});
  opened[0]!.fire('scene', scene(3));
  opened[0]!.fire('away', { message: 'restarting' });
  assert.deepEqual(lines.state('/1'), { scene: scene(3), isAway: true, isLost: false });
  opened[0]!.fire('scene', scene(4));
  assert.deepEqual(lines.state('/1'), { scene: scene(4), isAway: false, isLost: false });
});

test('does not report a short break', () => {
  const { lines, opened, timers, pass } = setUp();
  lines.listen('/1', () => {});
  opened[0]!.readyState = 0;
  opened[0]!.fire('error');
  assert.equal(lines.state('/1').isAway, false);
  opened[0]!.fire('scene', scene(3));
  assert.equal(timers.length, 0);
  opened[0]!.fire('error');
  pass(6_000);
  assert.equal(lines.state('/1').isAway, true);
});

test('tells a broken line from a store that is away', () => {
  const { lines, opened, pass } = setUp();
  lines.listen('/1', () => {});
  opened[0]!.fire('scene', scene(3));
  opened[0]!.fire('error');
  pass(6_000);
  assert.deepEqual(lines.state('/1'), { scene: scene(3), isAway: true, isLost: true });
  opened[0]!.fire('away', { message: 'restarting' });
  assert.deepEqual(lines.state('/1'), { scene: scene(3), isAway: true, isLost: false });
});

test('reopens a refused line, with longer and longer pauses', () => {
  const { lines, opened, pass } = setUp();
  lines.listen('/1', () => {});
  for (const waitMs of [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]) {
    const line = opened.at(-1)!;
    line.readyState = 2;
    line.fire('error');
    pass(waitMs);
    assert.notEqual(opened.at(-1), line);
  }
  opened.at(-1)!.fire('scene', scene(1));
  opened.at(-1)!.readyState = 2;
  opened.at(-1)!.fire('error');
  pass(5_000);
});

test('does not reopen a refused line for a hidden page', () => {
  const { lines, opened, timers, look } = setUp();
  lines.listen('/1', () => {});
  opened[0]!.readyState = 2;
  opened[0]!.fire('error');
  look(false);
  assert.equal(timers.length, 0);
  look(true);
  assert.equal(opened.length, 2);
});
