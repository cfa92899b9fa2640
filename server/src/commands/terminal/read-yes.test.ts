import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { CommandError } from '../command.ts';
import { readYes } from './read-yes.ts';

const question = 'All of it will be gone.';

async function answer(typed: string | undefined): Promise<{ shown: string; error: unknown }> {
  const output = new PassThrough();
  const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  if (typed !== undefined) input.write(`${typed}\n`);
  const error = await readYes({ input, output, isTaken: false, question }).catch((fault: unknown) => fault);
  output.end();
  return { shown: await text(output), error };
}

test('continues only after yes', async () => {
  for (const typed of ['yes', ' YES ']) assert.equal((await answer(typed)).error, undefined);
  for (const typed of ['y', 'no', '']) {
    const { shown, error } = await answer(typed);
    assert.match(shown, /All of it will be gone\. Type yes to go ahead:/);
    assert.ok(error instanceof CommandError);
    assert.equal(error.message, 'Nothing was changed.');
  }
});

test('requires --yes without a terminal, or when it is read for something else', async () => {
  assert.match(String((await answer(undefined)).error), /All of it will be gone\. .*add --yes/);
  const input = Object.assign(new PassThrough(), { isTTY: true });
  await assert.rejects(readYes({ input, output: new PassThrough(), isTaken: true, question }), /add --yes/);
});
