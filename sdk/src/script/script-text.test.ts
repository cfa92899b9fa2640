import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeScriptModule } from '../../build/make-script.ts';
import { scriptText } from './script-text.ts';

test('the committed text matches browser-script.ts', async () => {
  const committed = readFileSync(new URL('script-text.ts', import.meta.url), 'utf8');
  const hint = 'script-text.ts is stale: run node_modules/.bin/node sdk/build/write-script.ts';
  assert.equal(committed, await makeScriptModule(), hint);
});

for (const respectDoNotTrack of [false, true]) {
  test(`is under 1 KB gzipped (respectDoNotTrack: ${respectDoNotTrack})`, () => {
    const { length } = gzipSync(scriptText({ respectDoNotTrack }), { level: 9 });
    assert.ok(length < 1024, `expected less than 1024 bytes, it has ${length}`);
  });
}

test('asks for Do Not Track and GPC only if it should respect them', () => {
  const asks = (respectDoNotTrack: boolean) =>
    /doNotTrack|globalPrivacyControl/.test(scriptText({ respectDoNotTrack }));
  assert.deepEqual([asks(true), asks(false)], [true, false]);
});
