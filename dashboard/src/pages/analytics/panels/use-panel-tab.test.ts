import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTab } from './use-panel-tab.ts';

test('adds a tab to the address, changes it, and omits the default one', () => {
  assert.equal(withTab('', 'sources', 'channel'), '?sources=channel');
  const search = '?period=7d&sources=channel&f=page:is:/a%26b';
  assert.equal(withTab(search, 'sources', 'referrer'), '?period=7d&f=page:is:/a%26b&sources=referrer');
  assert.equal(withTab(search, 'sources', undefined), '?period=7d&f=page:is:/a%26b');
  assert.equal(withTab('?sources=channel', 'sources', undefined), '');
});
