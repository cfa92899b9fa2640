import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { test } from 'node:test';

const module = new URL('./let-requests-go-first.ts', import.meta.url);

/** Prints the name and the priority of each thread. They are the 2nd and 19th word of what Linux says of one. */
const program = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { letRequestsGoFirst } from '${module}';
  letRequestsGoFirst();
  for (const thread of readdirSync('/proc/self/task')) {
    const [, name, rest] = /\\((.*)\\) (.*)/.exec(readFileSync(\`/proc/self/task/\${thread}/stat\`, 'utf8'));
    console.log(name, rest.split(' ')[16]);
  }
`;

function listPriorities(before: string[]): string[] {
  const [command, ...args] = [...before, process.execPath, '--input-type=module', '--eval', program];
  return execFileSync(command!, args, { encoding: 'utf8' }).trim().split('\n').toSorted();
}

test('the threads that V8 has for itself have a lower priority than all others', {
  skip: platform() !== 'linux' && 'only Linux says which threads they are',
}, () => {
  const [ofV8, others] = split(listPriorities([]));
  assert.deepEqual(new Set(ofV8), new Set(['10']));
  assert.deepEqual(new Set(others), new Set(['0']));
});

test('a process that has a low priority already can be started', {
  skip: platform() !== 'linux' && 'only Linux says which threads they are',
}, () => {
  const [ofV8, others] = split(listPriorities(['nice', '-n', '12']));
  assert.deepEqual(new Set(ofV8), new Set(['19']));
  assert.deepEqual(new Set(others), new Set(['12']));
});

function split(lines: string[]): [string[], string[]] {
  const isOfV8 = (line: string) => line.includes('V8Worker');
  const priorityOf = (line: string) => line.slice(line.lastIndexOf(' ') + 1);
  return [lines.filter(isOfV8).map(priorityOf), lines.filter((line) => !isOfV8(line)).map(priorityOf)];
}
