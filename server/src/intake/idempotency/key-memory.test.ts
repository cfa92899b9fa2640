import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../../test/support/long-form.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { KeyMemory } from './key-memory.ts';
import { KeyTable, type Remembered } from './key-table.ts';

const hashOf = (number: number) => createHash('sha256').update(`key ${number}`).digest().subarray(0, 16);
const open = (maxKeys: number) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  return { clock, memory: new KeyMemory({ monotonicMs: clock.monotonicMs, maxKeys }) };
};
const hourMs = 3_600_000;

test('remembers like a plain map, for an hour to the second, whatever the wall clock says', () => {
  const received = fc
    .tuple(fc.integer({ min: 1, max: 2 ** 48 - 1 }), fc.integer({ min: 0, max: 65_535 }))
    .map(([receivedAtMs, order]) => ({ receivedAtMs, order }));
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        set: fc.nat(40),
        bodyCrc: fc.nat(),
        received: fc.option(received, { nil: undefined }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ passMs: fc.integer({ min: 0, max: 900_000 }) }) },
    { weight: 1, arbitrary: fc.record({ jumpMs: fc.integer({ min: -1e12, max: 1e12 }) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const { clock, memory } = open(7 * 200);
      const known = new Map<number, Remembered>();
      const second = () => Math.floor(clock.monotonicMs() / 1000);
      for (const now of steps) {
        if ('passMs' in now) clock.pass(now.passMs);
        else if ('jumpMs' in now) clock.jump(now.jumpMs);
        else {
          const { bodyCrc, received } = now;
          memory.remember(hashOf(now.set), bodyCrc, { received });
          known.set(now.set, { second: second(), bodyCrc, received });
        }
        for (let number = 0; number <= 41; number += 1) {
          const expected = known.get(number);
          const isKnown = expected !== undefined && second() - expected.second <= 3600;
          assert.deepEqual(memory.find(hashOf(number)), isKnown ? expected : undefined);
        }
      }
    }),
    { numRuns: times(20, 60) },
  );
});

test('forgets the oldest first when there are more keys than it can hold', () => {
  const maxKeys = 700;
  const { clock, memory } = open(maxKeys);
  for (let number = 0; number < 5000; number += 1) {
    clock.pass(10);
    memory.remember(hashOf(number), 1);
    assert.ok(memory.size() <= maxKeys, `${memory.size()} keys`);
  }
  const remembered = Array.from({ length: 5000 }, (_, number) => memory.find(hashOf(number)) !== undefined);
  const first = remembered.indexOf(true);
  assert.ok(remembered.slice(first).every(Boolean), 'one is forgotten though an older one is not');
  assert.ok(5000 - first >= (maxKeys * 6) / 7, `only ${5000 - first} are remembered`);
});

test('a burst that fits makes it forget nothing from the last hour', () => {
  const maxKeys = 7000;
  const { clock, memory } = open(maxKeys);
  for (let number = 0; number < 6; number += 1) {
    memory.remember(hashOf(number), 1);
    clock.pass(10 * 60_000);
  }
  // The first key is now exactly an hour old, and the last one ten minutes.
  const burst = Math.floor((maxKeys * 6) / 7) - 10;
  for (let number = 0; number < burst; number += 1) memory.remember(hashOf(100 + number), 1);
  for (let number = 0; number < 6; number += 1) {
    assert.ok(memory.find(hashOf(number)) !== undefined, `the one of minute ${number * 10} is forgotten`);
  }
});

test('releases what is too old, even when no more keys arrive', () => {
  const { clock, memory } = open(1000);
  for (let number = 0; number < 100; number += 1) {
    memory.remember(hashOf(number), 1);
    clock.pass(60_000);
  }
  assert.ok(memory.size() >= 60 && memory.size() <= 70, `${memory.size()} keys`);
  clock.pass(hourMs);
  assert.equal(memory.size(), 0);
});

test('remembers a key again that is used after an hour', () => {
  const { clock, memory } = open(1000);
  memory.remember(hashOf(1), 5);
  clock.pass(hourMs + 1000);
  assert.equal(memory.find(hashOf(1)), undefined);
  memory.remember(hashOf(1), 6);
  assert.equal(memory.find(hashOf(1))?.bodyCrc, 6);
  clock.pass(hourMs);
  assert.equal(memory.find(hashOf(1))?.bodyCrc, 6);
});

test('takes over old keys, oldest first, and forgets them in time', () => {
  const { clock, memory } = open(1000);
  for (let minute = 60; minute >= 0; minute -= 1)
    memory.remember(hashOf(minute), 0, { ageMs: minute * 60_000 });
  for (let passed = 0; passed <= 60; passed += 1) {
    for (let minute = 0; minute <= 60; minute += 1)
      assert.equal(memory.find(hashOf(minute)) !== undefined, minute + passed <= 60, `${minute}, ${passed}`);
    clock.pass(60_000);
  }
});

test('distinguishes hashes that differ in any single bit', () => {
  const { memory } = open(1000);
  const hash = hashOf(1);
  memory.remember(hash, 1);
  for (let bit = 0; bit < 128; bit += 1) {
    const other = Buffer.from(hash);
    other[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(memory.find(other), undefined);
  }
});

/** Every third key has a record whose time of receipt is unknown. */
const rememberedOf = (number: number) => ({
  second: -100 + number,
  bodyCrc: number,
  received:
    number % 3 === 0
      ? undefined
      : { receivedAtMs: 1_773_133_200_000 + number * 1_000_003, order: (number * 31) % 65_536 },
});

test('a table holds as many hashes as allowed, and finds them in any order of arrival', () => {
  for (const maxKeys of [1, 47, 48, 49, 64, 5000]) {
    const table = new KeyTable({ firstSecond: -100, maxKeys, expectedKeys: maxKeys % 90 });
    const numbers = Array.from({ length: maxKeys }, (_, index) => (index * 7919) % maxKeys);
    for (const number of new Set(numbers)) {
      assert.ok(!table.isFull());
      table.set(hashOf(number), rememberedOf(number));
    }
    for (const number of new Set(numbers)) assert.deepEqual(table.find(hashOf(number)), rememberedOf(number));
    assert.equal(table.find(hashOf(maxKeys)), undefined);
  }
});

test('finds hashes of zeros and ones, and one at the very end', () => {
  const table = new KeyTable({ firstSecond: 0, maxKeys: 40, expectedKeys: 0 });
  const hashes = Array.from({ length: 40 }, (_, index) => Buffer.alloc(16, 0xff).fill(index, 15));
  hashes[0] = Buffer.alloc(16);
  for (const [index, hash] of hashes.entries()) table.set(hash, { second: 0, bodyCrc: index });
  for (const [index, hash] of hashes.entries()) assert.equal(table.find(hash)?.bodyCrc, index);
});

test('lists the hashes of the last hour', () => {
  const { clock, memory } = open(7 * 200);
  for (let number = 0; number < 500; number += 1) {
    memory.remember(hashOf(number % 450), 0);
    clock.pass(10_000);
  }
  const all = memory.hashes();
  const listed = Array.from({ length: all.length / 16 }, (_, at) =>
    all.toString('hex', at * 16, at * 16 + 16),
  );
  const found = Array.from({ length: 450 }, (_, number) => hashOf(number)).filter((hash) =>
    memory.find(hash),
  );
  assert.ok(found.length > 300 && found.length < 450, `${found.length}`);
  assert.deepEqual([...new Set(listed)].sort(), found.map((hash) => hash.toString('hex')).sort());
});
