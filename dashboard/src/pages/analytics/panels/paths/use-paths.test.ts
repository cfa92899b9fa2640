import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answers } from '@trackside/contract/stats/answers.ts';
import { toRows } from './use-paths.ts';

test('the shares of the pages around a page are those of all of its visits', () => {
  const step = { visits: 60, pages: [{ page: '/signup', visits: 20 }] };
  const answer = { visits: 100, entries: 40, exits: 40, before: [], after: [step] };
  assert.deepEqual(toRows(answer as unknown as Answers['paths'], 'after'), {
    rows: [{ key: '/signup', label: '/signup', value: 20 }],
    total: 100,
  });
});
