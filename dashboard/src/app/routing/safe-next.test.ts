import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeNext, signInPath } from './safe-next.ts';

const origin = 'https://stats.example.com';

test('returns to where the user was', () => {
  assert.equal(safeNext('/websites/3/settings', origin), '/websites/3/settings');
  assert.equal(safeNext('/audit?x=1', origin), '/audit?x=1');
});

test('leads nowhere else', () => {
  const wanted = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'http://stats.example.com/websites',
    '\\\\evil.example',
    'evil.example',
    '',
    '/nowhere',
    '/api/session',
  ];
  for (const next of wanted) assert.equal(safeNext(next, origin), '/websites', next);
  assert.equal(safeNext(null, origin), '/websites');
});

test('does not lead back to the sign-in page', () => {
  assert.equal(safeNext('/sign-in?next=/audit', origin), '/websites');
  assert.equal(safeNext('/setup', origin), '/websites');
});

test('what the sign-in path carries comes back unchanged', () => {
  const path = signInPath('/websites/3?range=7d&filter=a%26b');
  const next = new URL(path, origin).searchParams.get('next');
  assert.equal(safeNext(next, origin), '/websites/3?range=7d&filter=a%26b');
});
