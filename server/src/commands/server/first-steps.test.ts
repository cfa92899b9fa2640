import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { createValidate } from '../../intake/steps/validate.ts';
import { firstSteps } from './first-steps.ts';

const options = {
  origin: 'http://127.0.0.1:8080',
  isFirstStart: true,
  domain: 'demo.test',
  apiKey: 'the-key',
  dataDir: resolve('data'),
  setupLink: undefined,
};

/**
 * Runs the commands in a text in a shell. The programs are replaced by functions that print their arguments,
 * one per line.
 */
function callsIn(text: string): string[] {
  const commands = text
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .join('\n');
  const programs = `
    curl() { printf 'curl: %s\\n' "$@"; }
    npx() { if [ "$3" = show-key ]; then printf '<%s>' "$@"; else printf 'npx: %s\\n' "$@"; fi; }
  `;
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-euc', `${programs}\n${commands}`], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

test('says only where it listens after the first start', () => {
  const text = firstSteps({ ...options, isFirstStart: false });
  assert.equal(text.trim(), 'Trackside is running at http://127.0.0.1:8080');
});

test('prints the setup link at every start while there is no user, on a separate line', () => {
  const setupLink = 'http://127.0.0.1:8080/setup#the-token';
  for (const isFirstStart of [true, false]) {
    const lines = firstSteps({ ...options, isFirstStart, setupLink }).split('\n');
    assert.equal(lines.filter((line) => line === setupLink).length, 1);
    assert.ok(lines.some((line) => /this link to create your admin account/.test(line)));
    assert.doesNotMatch(firstSteps({ ...options, isFirstStart }), /setup|user/);
  }
  const first = firstSteps({ ...options, setupLink });
  assert.ok(
    callsIn(first).includes('curl: Authorization: the-key'),
    'expected it not to get among the commands',
  );
});

test('prints a first record that the server accepts, with its key', () => {
  const [, method, url, , header, , body] = callsIn(firstSteps(options));
  assert.equal(method, 'curl: POST');
  assert.equal(url, 'curl: http://127.0.0.1:8080/api/page-view');
  assert.equal(header, 'curl: Authorization: the-key');
  const json: unknown = JSON.parse(body!.slice('curl: '.length));
  assert.ok('body' in createValidate()('page_view', { json }));
});

test('looks the key up in the command where it must not be printed', () => {
  const text = firstSteps({ ...options, apiKey: undefined });
  assert.doesNotMatch(text, /the-key/);
  const header = 'curl: Authorization: <trackside><website><show-key><demo.test>';
  assert.ok(callsIn(text).includes(header));
});

test('names the data folder if it is not the default, quoted for a shell', () => {
  assert.doesNotMatch(firstSteps(options), /--data-dir/);
  const folders = {
    [resolve('var/data')]: 'var/data',
    '/srv/a b': '/srv/a b',
    "/srv/o'clock $HOME": "/srv/o'clock $HOME",
  };
  for (const [dataDir, shown] of Object.entries(folders)) {
    const calls = callsIn(firstSteps({ ...options, dataDir, apiKey: undefined }));
    assert.equal(calls.filter((call) => call === `npx: ${shown}`).length, 2, calls.join('\n'));
    assert.ok(calls.some((call) => call.endsWith(`<demo.test><--data-dir><${shown}>`)));
  }
});
