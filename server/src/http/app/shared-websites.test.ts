import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import { createSharedWebsites } from './shared-websites.ts';

function open() {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const links = new Map<string, Website>();
  const looked: string[] = [];
  const shares = createSharedWebsites({
    websites: {
      async findByShareToken(token) {
        looked.push(token);
        return links.get(token);
      },
    },
    clock,
  });
  return { shares, clock, links, looked };
}

const token = 'A'.repeat(32);
const website = { id: 7 } as Website;

test('looks up a working link only occasionally, and stops soon after it was switched off', async () => {
  const { shares, clock, links, looked } = open();
  links.set(token, website);
  for (let times = 0; times < 100; times += 1) assert.equal((await shares.find(token))?.id, 7);
  assert.equal(looked.length, 1);
  links.clear();
  clock.pass(5000);
  assert.equal(await shares.find(token), undefined);
});

test('a crowd with the same link costs one lookup, and a fault is not remembered', async () => {
  const { shares, links, looked } = open();
  links.set(token, website);
  const crowd = () => Promise.all(Array.from({ length: 100 }, () => shares.find(token)));
  assert.deepEqual(new Set((await crowd()).map((found) => found?.id)), new Set([7]));
  assert.equal(looked.length, 1);

  const busy = createSharedWebsites({
    websites: {
      async findByShareToken() {
        looked.push('busy');
        if (looked.length === 2) throw new Error('busy');
        return website;
      },
    },
    clock: createFakeClock('2026-03-10T09:00:00Z'),
  });
  await assert.rejects(busy.find(token), { message: 'busy' });
  assert.equal((await busy.find(token))?.id, 7);
});

test('a link works as soon as it is created, even if it was tried before', async () => {
  const { shares, links } = open();
  assert.equal(await shares.find(token), undefined);
  links.set(token, website);
  assert.equal((await shares.find(token))?.id, 7);
});

test('does not look up what cannot be a link', async () => {
  const { shares, looked } = open();
  for (const text of ['', 'A'.repeat(31), 'A'.repeat(33), `${'A'.repeat(31)}'`, `${'A'.repeat(32)}\n`])
    assert.equal(await shares.find(text), undefined, text);
  assert.deepEqual(looked, []);
});
