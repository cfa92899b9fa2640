import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readClientId } from './read-client-id.ts';

const stdin = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

test('takes the argument, or standard input without its last line break', async () => {
  assert.equal(await readClientId('4711', stdin()), '4711');
  assert.equal(await readClientId('-', stdin('47', '11\n')), '4711');
  assert.equal(await readClientId('-', stdin('漢字\r\n')), '漢字');
  assert.equal(await readClientId('-', stdin(' a ')), ' a ', 'spaces belong to it');
});

test('refuses a missing or long ClientId, without repeating it', async () => {
  for (const text of ['', '\n']) await assert.rejects(readClientId('-', stdin(text)), /got 0/);
  await assert.rejects(readClientId('', stdin()), /expected the ClientId/);
  await assert.rejects(readClientId('jane@example.com'.repeat(40), stdin()), (error: Error) => {
    assert.match(error.message, /in 1 to 512 characters, got 640/);
    assert.doesNotMatch(error.message, /jane/);
    return true;
  });
});
