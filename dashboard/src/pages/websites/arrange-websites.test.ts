import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Website } from '#api/shapes.ts';
import { arrangeWebsites, type Sorting } from './arrange-websites.ts';

const websites = [
  { name: 'Shop 10', domain: 'shop.example', shownDomain: 'shop.example', usage: { used: 5 } },
  { name: 'Blog', domain: 'xn--mnchen-3ya.example', shownDomain: 'münchen.example', usage: { used: 90 } },
  { name: 'shop 2', domain: 'two.example', shownDomain: 'two.example', usage: { used: 5 } },
] as Website[];
const arrange = (search: string, sorting: Sorting) =>
  arrangeWebsites(websites, { search, sorting, locale: 'en-US' }).map(({ name }) => name);

test('sorts by traffic, by name with numbers in order, and by when they were added', () => {
  assert.deepEqual(arrange('', 'traffic'), ['Blog', 'shop 2', 'Shop 10']);
  assert.deepEqual(arrange('', 'name'), ['Blog', 'shop 2', 'Shop 10']);
  assert.deepEqual(arrange('', 'added'), ['Shop 10', 'Blog', 'shop 2']);
});

test('finds every word in the name or the domain, regardless of letter case', () => {
  assert.deepEqual(arrange('SHOP two', 'name'), ['shop 2']);
  assert.deepEqual(arrange('MÜNCHEN', 'name'), ['Blog']);
  assert.deepEqual(arrange('nothing', 'name'), []);
});
