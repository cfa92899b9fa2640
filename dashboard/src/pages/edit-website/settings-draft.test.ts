import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebsiteSettings } from '#api/shapes.ts';
import { createDraftStore } from './settings-draft.ts';

const base = { id: 1, version: 3, name: 'Shop' } as WebsiteSettings;

function openStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
}

test('keeps a draft for its website and section until it is dropped', () => {
  const storage = openStorage();
  const drafts = createDraftStore<{ name: string }>(storage, 1, 'website');
  drafts.write({ base, values: { name: 'My shop' } });
  assert.deepEqual(drafts.read(), { base, values: { name: 'My shop' } });
  assert.equal(createDraftStore(storage, 1, 'quota').read(), undefined);
  assert.equal(createDraftStore(storage, 2, 'website').read(), undefined);
  drafts.write(undefined);
  assert.equal(drafts.read(), undefined);
  assert.equal(storage.kept.size, 0);
});

test('treats what can’t be read or written as no draft', () => {
  const broken = { ...openStorage(), getItem: () => 'not JSON' };
  assert.equal(createDraftStore(broken, 1, 'website').read(), undefined);
  const disabled = () => {
    throw new Error('disabled');
  };
  const none = createDraftStore({ getItem: disabled, setItem: disabled, removeItem: disabled }, 1, 'website');
  none.write({ base, values: {} });
  none.write(undefined);
  assert.equal(none.read(), undefined);
});
