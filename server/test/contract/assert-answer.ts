import assert from 'node:assert/strict';
import type { ContractCase } from './load-cases.ts';
import type { Answer } from './send-case.ts';

/** Fails with the difference if an answer is not the one that the case expects. */
export function assertAnswer({ verdict, answer: expected }: ContractCase, actual: Answer): void {
  const { code, message, understood } = readBody(actual, verdict === 'judged');
  assert.equal(code, expected.code, `Code, with the Message: ${message}`);
  assert.equal(actual.status, expected.code, 'HTTP status');
  if (verdict === 'excluded') assert.match(message, /^Excluded: /);
  else if (expected.code === 200) assert.equal(message, 'Success');
  if (expected.understood) assert.partialDeepStrictEqual(understood, expected.understood);
  else assert.equal(understood, undefined, 'Understood');
  if (expected.field) assertNames(message, expected.field);
  for (const words of expected.says) assertSays(message, words);
  for (const secret of expected.hides) {
    assert.ok(!message.includes(secret), `expected a Message without ${secret}, got: ${message}`);
  }
  for (const [name, value] of Object.entries(expected.headers)) assertHeader(actual, name, value);
}

function readBody({ headers, body }: Answer, isDryRun: boolean) {
  assert.match(headers['content-type'] ?? 'none', /^application\/json(; ?charset=utf-8)?$/i, 'Content-Type');
  const parsed: unknown = JSON.parse(body);
  assert.ok(typeof parsed === 'object' && parsed !== null, `expected an object, got ${body}`);
  const { Understood: understood, ...members } = parsed as Record<string, unknown>;
  const expected = isDryRun ? ['Code', 'DryRun', 'Message'] : ['Code', 'Message'];
  assert.deepEqual(Object.keys(members).sort(), expected, 'members of the answer');
  const { Code: code, Message: message, DryRun: dryRun } = members;
  assert.equal(dryRun, isDryRun ? true : undefined, 'DryRun');
  assert.ok(typeof code === 'number', `expected Code as a number, got ${body}`);
  assert.ok(typeof message === 'string' && message !== '', `expected Message as a text, got ${body}`);
  return { code, message, understood };
}

/** Checks that a message names a path. A message about `Metrics.Page` does not name `Metrics`. */
function assertNames(message: string, path: string): void {
  const named = new RegExp(String.raw`(?<![\w.\]])${RegExp.escape(path)}(?![\w[]|\.\w)`);
  assert.match(message, named, `expected a Message that names ${path}`);
}

/** Checks for whole words, so that `en` is not found in `en-US`. 2,048 counts as 2048. */
function assertSays(message: string, words: string): void {
  const said = new RegExp(String.raw`(?<![\w-])${RegExp.escape(words)}(?![\w-])`);
  const plain = message.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  assert.match(plain, said, `expected a Message that says ${words}`);
}

function assertHeader({ headers }: Answer, name: string, expected: string): void {
  const actual = headers[name.toLowerCase()];
  if (expected === 'absent') assert.equal(actual, undefined, name);
  else if (expected === 'present') assert.ok(actual, `expected the header ${name}`);
  else assert.equal(actual, expected, name);
}
