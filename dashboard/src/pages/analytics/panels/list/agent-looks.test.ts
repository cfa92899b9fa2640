import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookOfBrowser, lookOfSystem } from './agent-looks.ts';

test('browsers and systems look the same in every version', () => {
  assert.equal(lookOfBrowser('Firefox')?.icon, 'firefoxbrowser');
  assert.deepEqual(lookOfBrowser('Firefox 144'), lookOfBrowser('Firefox'));
  assert.deepEqual(lookOfSystem('macOS 15.1'), lookOfSystem('macOS'));
  assert.equal(lookOfBrowser('constructor'), undefined);
  assert.equal(lookOfSystem(''), undefined);
});
