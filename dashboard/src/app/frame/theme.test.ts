import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTheme, readTheme } from './theme.ts';

function memory() {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
  };
}
const broken = {
  getItem(): string | null {
    throw new Error('storage is off');
  },
  setItem() {
    throw new Error('storage is off');
  },
};

test('follows the system until a theme is chosen', () => {
  assert.equal(readTheme(memory()), 'system');
});

test('keeps the chosen theme, and applies it to the page', () => {
  const storage = memory();
  const page = { dataset: {} as DOMStringMap };
  applyTheme('dark', page, storage);
  assert.equal(page.dataset.theme, 'dark');
  assert.equal(readTheme(storage), 'dark');
  applyTheme('system', page, storage);
  assert.equal(page.dataset.theme, undefined);
  assert.equal(readTheme(storage), 'system');
});

test('works where storage is disabled', () => {
  const page = { dataset: {} as DOMStringMap };
  applyTheme('light', page, broken);
  assert.equal(page.dataset.theme, 'light');
  assert.equal(readTheme(broken), 'system');
});
