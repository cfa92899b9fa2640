import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { createTestLog, makeFolder } from '../../../control/test-control.ts';
import { dataFolder } from '../../../files/data-folder.ts';
import { noteUnknownProxy } from '../../../node/note-unknown-proxy.ts';
import { checkProxies } from './check-proxies.ts';

const statesOf = (folder: ReturnType<typeof dataFolder>) => checkProxies(folder).map(({ state }) => state);

/** Waits for the file, because the server does not wait until the note is written. */
async function untilWritten(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise(setImmediate);
}

test('an untrusted proxy is noted once, found by doctor, and forgotten at the next start', async (t) => {
  const folder = dataFolder(await makeFolder(t));
  const { log, messages } = createTestLog();
  const note = noteUnknownProxy({ file: folder.unknownProxy, log });
  assert.deepEqual(statesOf(folder), []);
  for (let times = 0; times < 3; times += 1) note();
  assert.equal(messages.length, 1);
  assert.match(messages[0]!, /TRACKSIDE_TRUSTED_PROXIES/);
  await untilWritten(folder.unknownProxy);
  assert.deepEqual(statesOf(folder), ['warning']);
  assert.match(checkProxies(folder)[0]!.todo!, /TRACKSIDE_TRUSTED_PROXIES/);
  noteUnknownProxy({ file: folder.unknownProxy, log });
  assert.deepEqual(statesOf(folder), []);
});
