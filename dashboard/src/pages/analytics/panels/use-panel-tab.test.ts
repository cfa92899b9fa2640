import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withTab } from './use-panel-tab.ts';

test('a tab is added to the address, changed, and left out when it is the usual one', () => {
  assert.equal(withTab('', 'sources', 'channel'), '?sources=channel');
  const search = '?period=7d&sources=channel&f=page:is:/a%26b';
  assert.equal(withTab(search, 'sources', 'referrer'), '?period=7d&f=page:is:/a%26b&sources=referrer');
  assert.equal(withTab(search, 'sources', undefined), '?period=7d&f=page:is:/a%26b');
  assert.equal(withTab('?sources=channel', 'sources', undefined), '');
});
