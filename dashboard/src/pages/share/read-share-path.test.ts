import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSharePath } from './read-share-path.ts';

test('reads the token, and whether the page is embedded', () => {
  assert.deepEqual(readSharePath('/share/abc'), { token: 'abc', isEmbed: false });
  assert.deepEqual(readSharePath('/share/abc/'), { token: 'abc', isEmbed: false });
  assert.deepEqual(readSharePath('/share/abc/embed'), { token: 'abc', isEmbed: true });
});
