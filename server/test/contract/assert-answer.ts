import assert from 'node:assert/strict';
import type { ContractCase, ExpectedVerdict } from './load-cases.ts';
import type { Answer } from './send-case.ts';

/** Fails with the difference if an answer is not the one that the case expects. */
export function assertAnswer({ verdict, answer: expected }: ContractCase, actual: Answer): void {
  const { headers, body } = actual;
  assert.match(headers['content-type'] ?? 'none', /^application\/json(; ?charset=utf-8)?$/i, 'Content-Type');
  const isDryRun = verdict === 'judged';
  const { Understood: understood, ...parsed } = readObject(JSON.parse(body));
  const others = [...(isDryRun ? ['DryRun'] : []), ...(expected.results === undefined ? [] : ['Results'])];
  assertVerdict(parsed, expected, others, verdict === 'excluded' ? /^Excluded: / : /^Success$/);
  assert.equal(parsed.DryRun, isDryRun ? true : undefined, 'DryRun');
  if (expected.understood) assert.partialDeepStrictEqual(understood, expected.understood);
  else assert.equal(understood, undefined, 'Understood');
  assert.equal(actual.status, expected.code, 'HTTP status');
  for (const [name, value] of Object.entries(expected.headers)) assertHeader(actual, name, value);
  if (expected.results === undefined) return;
  const { Results: results } = parsed;
  assert.ok(Array.isArray(results), `expected Results as a list, got ${body}`);
  assert.equal(results.length, expected.results.length, 'the number of Results');
  for (const [at, result] of expected.results.entries()) assertVerdict(results[at], result, [], /^Success$/);
}

function assertVerdict(
  actual: unknown,
  expected: ExpectedVerdict,
  others: readonly string[],
  success: RegExp,
): void {
  const { code, message } = readVerdict(actual, others);
  assert.equal(code, expected.code, `Code, with the Message: ${message}`);
  if (expected.code === 200) assert.match(message, success);
  if (expected.field) assertNames(message, expected.field);
  for (const words of expected.says) assertSays(message, words);
  for (const secret of expected.hides) {
    assert.ok(!message.includes(secret), `expected a Message without ${secret}, got: ${message}`);
  }
}

function readVerdict(parsed: unknown, others: readonly string[]): { code: number; message: string } {
  const members = readObject(parsed);
  const text = JSON.stringify(parsed);
  assert.deepEqual(
    Object.keys(members).sort(),
    ['Code', 'Message', ...others].sort(),
    'members of the answer',
  );
  const { Code: code, Message: message } = members;
  assert.ok(typeof code === 'number', `expected Code as a number, got ${text}`);
  assert.ok(typeof message === 'string' && message !== '', `expected Message as a text, got ${text}`);
  return { code, message };
}

function readObject(parsed: unknown): Record<string, unknown> {
  assert.ok(
    typeof parsed === 'object' && parsed !== null,
    `expected an object, got ${JSON.stringify(parsed)}`,
  );
  return parsed as Record<string, unknown>;
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
