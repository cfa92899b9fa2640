import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeEdit } from './merge-edit.ts';

const base = { name: 'Shop', domain: 'shop.example.com', limit: { isLimited: false, text: '' } };

test('changes to different fields do not clash', () => {
  const merge = mergeEdit(base, { ...base, name: 'My shop' }, { ...base, domain: 'new.example.com' });
  assert.deepEqual(merge, { changes: { name: 'My shop' }, clashes: [], theirs: ['domain'] });
});

test('different changes to the same field clash', () => {
  const merge = mergeEdit(base, { ...base, name: 'Mine' }, { ...base, name: 'Theirs' });
  assert.deepEqual(merge.clashes, [{ field: 'name', mine: 'Mine', theirs: 'Theirs' }]);
  assert.deepEqual(merge.changes, { name: 'Mine' });
});

test('the same change by both is not a change', () => {
  const both = { ...base, limit: { isLimited: true, text: '5' } };
  assert.deepEqual(mergeEdit(base, both, structuredClone(both)), { changes: {}, clashes: [], theirs: [] });
});
