import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readPassword } from './read-password.ts';

/**
 * Creates a stream that readline takes for a terminal: it has a raw mode and delivers keys as they are typed.
 */
function createTerminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const output = new PassThrough();
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const asking = readPassword({ input, output, isFromStdin: false });
  return { asking, type: (keys: string) => input.write(keys), modes, shown: () => shown };
}

function send(...chunks: string[]): Promise<string> {
  const input = new PassThrough();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  return readPassword({ input, output: new PassThrough(), isFromStdin: true });
}

test('asks twice and does not echo what is typed', async () => {
  const { asking, type, modes, shown } = createTerminal();
  type('tea at elevem\x7fn\r');
  type('tea at eleven\r');
  assert.equal(await asking, 'tea at eleven');
  assert.equal(shown(), 'Password: \nPassword again: \n');
  assert.deepEqual(modes, [true, false], 'expected the terminal as it was before');
});

test('accepts what was typed or pasted ahead', async () => {
  const { asking, type } = createTerminal();
  type('tea at eleven\rtea at eleven\r');
  assert.equal(await asking, 'tea at eleven');
});

test('refuses two different entries, without showing them', async () => {
  const { asking, type, modes } = createTerminal();
  type('tea at eleven\rtea at twelve\r');
  await assert.rejects(asking, (error: Error) => {
    assert.match(error.message, /The passwords do not match\. Nothing was changed/);
    assert.doesNotMatch(error.message, /tea/);
    return true;
  });
  assert.equal(modes.at(-1), false);
});

test('gives up at Ctrl-C and at Ctrl-D', async () => {
  for (const key of ['\x03', '\x04']) {
    const { asking, type, modes } = createTerminal();
    type(key);
    await assert.rejects(asking, { name: 'CommandError', message: /Nothing was changed/ });
    assert.equal(modes.at(-1), false);
  }
});

test('reads one whole line from stdin when told to', async () => {
  assert.equal(await send('tea at eleven\n'), 'tea at eleven');
  assert.equal(await send(' tea', ' at eleven ', '\r\n'), ' tea at eleven ');
  assert.equal(await send('th\u00e9 \u00e0 onze heures'), 'th\u00e9 \u00e0 onze heures');
  for (const bad of ['', '\n', 'tea\nat eleven\n', 'x'.repeat(20_000)]) {
    await assert.rejects(send(bad), {
      name: 'CommandError',
      message: /--password-stdin: expected.*one line/,
    });
  }
});

test('does not wait for a password without a terminal or the flag', async () => {
  const asking = readPassword({ input: new PassThrough(), output: new PassThrough(), isFromStdin: false });
  await assert.rejects(asking, { name: 'CommandError', message: /--password-stdin/ });
});
