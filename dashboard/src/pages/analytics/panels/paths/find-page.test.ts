import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPage } from './find-page.ts';

test('finds the single page that the filters select', () => {
  assert.equal(
    findPage([
      { dimension: 'country', is: 'DE' },
      { dimension: 'page', is: '/x' },
    ]),
    '/x',
  );
});

test('finds none where the filters may select several', () => {
  assert.equal(findPage([]), undefined);
  assert.equal(findPage([{ dimension: 'page', isNot: '/x' }]), undefined);
  assert.equal(findPage([{ dimension: 'page', contains: '/x' }]), undefined);
  assert.equal(findPage([{ dimension: 'page', anyOf: ['/x', '/y'] }]), undefined);
  assert.equal(findPage([{ dimension: 'entryPage', is: '/x' }]), undefined);
  const both = [
    { dimension: 'page', is: '/x' },
    { dimension: 'page', contains: 'x' },
  ] as const;
  assert.equal(findPage(both), undefined);
});
