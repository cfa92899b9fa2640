import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepAccountLanguage, readLanguageChoice } from './language-choice.ts';

function memory(entries: Record<string, string> = {}) {
  const all = new Map(Object.entries(entries));
  return {
    getItem: (name: string) => all.get(name) ?? null,
    setItem: (name: string, value: string) => void all.set(name, value),
    removeItem: (name: string) => void all.delete(name),
  };
}

test('keeps the language of the account for the next page, until the account has none', () => {
  const storage = memory();
  assert.equal(keepAccountLanguage('de', storage), 'de');
  assert.equal(readLanguageChoice(storage), 'de');
  assert.equal(keepAccountLanguage(null, storage), 'browser');
  assert.equal(readLanguageChoice(storage), 'browser');
});

test('keeps a choice that was not made by an account', () => {
  assert.equal(keepAccountLanguage(null, memory({ language: 'de' })), 'de');
});

test('works where storage is disabled, or contains something else', () => {
  const broken = () => {
    throw new Error('storage is off');
  };
  const storage = { getItem: broken, setItem: broken, removeItem: broken };
  assert.equal(keepAccountLanguage('de', storage), 'de');
  assert.equal(readLanguageChoice(storage), 'browser');
  assert.equal(readLanguageChoice(memory({ language: 'tlh' })), 'browser');
});
