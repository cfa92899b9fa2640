import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptHeights } from './kept-heights.ts';

function memory(entries: Record<string, string> = {}) {
  const all = new Map(Object.entries(entries));
  return {
    getItem: (name: string) => all.get(name) ?? null,
    setItem: (name: string, value: string) => void all.set(name, value),
  };
}

test('keeps heights by website and panel, for the last width', () => {
  const storage = memory();
  createKeptHeights(1, 1280, storage).keep('sources', 350);
  createKeptHeights(1, 1280, storage).keep('pages', 200);
  assert.equal(createKeptHeights(1, 1280, storage).read('sources'), 350);
  assert.equal(createKeptHeights(2, 1280, storage).read('sources'), undefined);
  assert.equal(createKeptHeights(1, 360, storage).read('sources'), undefined);
  createKeptHeights(1, 360, storage).keep('pages', 420);
  assert.equal(createKeptHeights(1, 1280, storage).read('sources'), undefined);
});

test('works where storage is disabled, or contains something else', () => {
  const broken = () => {
    throw new Error('storage is off');
  };
  const heights = createKeptHeights(1, 1280, { getItem: broken, setItem: broken });
  heights.keep('sources', 350);
  assert.equal(heights.read('sources'), undefined);
  for (const text of ['null', '{', '[]', '{"width":1280}'])
    assert.equal(createKeptHeights(1, 1280, memory({ 'panels-1': text })).read('sources'), undefined, text);
});
