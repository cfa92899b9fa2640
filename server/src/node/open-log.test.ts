import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { openLog } from './open-log.ts';

const usual = `
  log.debug('too much');
  log.info({ website: 7, text: 'two\\nlines' }, 'a record came');
  log.child({ part: 'journal' }).error({ err: new Error('no space') }, 'cannot write');
`;

/** Returns what a process that logs writes to its standard output and its standard error. */
function outputOf(options: Parameters<typeof openLog>[0], statements = usual): string[][] {
  const script = `
    import { openLog } from ${JSON.stringify(new URL('./open-log.ts', import.meta.url).href)};
    const log = openLog(${JSON.stringify(options)});
    ${statements}
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return [stdout, stderr].map((text) => text.trimEnd().split('\n').filter(Boolean));
}

test('writes a line of JSON per message for a machine', () => {
  const [stdout = []] = outputOf({ level: 'info', isTerminal: false });
  const lines = stdout.map((line) => JSON.parse(line));
  assert.equal(lines.length, 2);
  const { time, ...first } = lines[0];
  assert.deepEqual(first, { level: 30, website: 7, text: 'two\nlines', msg: 'a record came' });
  assert.ok(Math.abs(Date.now() - time) < 60_000);
  assert.deepEqual([lines[1].level, lines[1].part, lines[1].msg], [50, 'journal', 'cannot write']);
  assert.equal(lines[1].err.message, 'no space');
  assert.match(lines[1].err.stack, /Error: no space/);
});

test('writes short lines to a terminal', () => {
  const [[first, second, ...others] = []] = outputOf({ level: 'info', isTerminal: true });
  assert.match(first!, /^\d\d:\d\d:\d\d info a record came website=7 text="two\\nlines"$/);
  assert.match(second!, /^\d\d:\d\d:\d\d error cannot write \(no space\) part="journal"$/);
  assert.deepEqual(others, []);
});

test('text from strangers can neither forge a line nor control a terminal', () => {
  const evil = 'a\n12:00:00 error forged\r\u001b[2J\u009b31m\u202e\u2028b\u007f';
  for (const isTerminal of [true, false]) {
    const text = JSON.stringify(evil);
    const statement = `log.warn({ err: new Error(${text}), line: ${text}, [${text}]: 1 }, ${text});`;
    const [[first = '', ...others] = []] = outputOf({ level: 'info', isTerminal }, statement);
    assert.deepEqual(others, []);
    assert.doesNotMatch(first, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    assert.match(first, /forged/);
    if (!isTerminal) assert.deepEqual([JSON.parse(first).msg, JSON.parse(first)[evil]], [evil, 1]);
  }
});

test('omits what is below its level', () => {
  assert.equal(outputOf({ level: 'error', isTerminal: false })[0]?.length, 1);
  assert.equal(outputOf({ level: 'debug', isTerminal: true })[0]?.length, 3);
});

test('leaves standard output to the result of a command', () => {
  const [stdout, stderr] = outputOf({ level: 'info', isTerminal: false, to: 'stderr' });
  assert.deepEqual(stdout, []);
  assert.equal(stderr?.length, 2);
});
