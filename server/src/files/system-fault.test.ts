import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { nameDatabase, readSystemFault, spellFault } from './system-fault.ts';

function faultOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected a fault');
}

/** Errors as the system creates them, for conditions that only root could cause. */
function systemError(code: string, path = '/data/control/control.db'): Error {
  return Object.assign(new Error(`${code}: words, open '${path}'`), { code, syscall: 'open', path });
}

const kindOf = (error: unknown) => readSystemFault(error)?.kind;

test('a database that cannot grow is a full disk', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('create table t (text); pragma max_page_count = 3');
  const error = faultOf(() => database.exec(`insert into t values (zeroblob(1000000))`));
  assert.equal(kindOf(error), 'full');
  assert.match(
    spellFault(readSystemFault(error)!),
    /^The disk is full: the control database cannot be written\. Free/,
  );
});

test('reports that a read-only database cannot be written', async (t) => {
  const path = join(await makeFolder(t), 'a.db');
  new DatabaseSync(path).exec('create table t (text)');
  const database = new DatabaseSync(path, { readOnly: true });
  assert.equal(kindOf(faultOf(() => database.exec('insert into t values (1)'))), 'read-only');
});

test('garbage in place of a database is damage, reported with its path', async (t) => {
  const path = join(await makeFolder(t), 'control.db');
  writeFileSync(path, 'no database'.repeat(1000));
  const error = faultOf(() => new DatabaseSync(path).exec('select * from sqlite_master'));
  assert.equal(kindOf(error), 'damaged');
  const named = nameDatabase(error, `the control database ${path}`);
  assert.equal(kindOf(named), 'damaged');
  assert.match(
    (named as Error).message,
    new RegExp(`^The control database ${path} is damaged.*restore a backup`),
  );
});

test('a missing database folder says what to check', async (t) => {
  const path = join(await makeFolder(t), 'none', 'control.db');
  assert.equal(kindOf(faultOf(() => new DatabaseSync(path))), 'unreachable');
});

test('reports a file in place of a folder, and the other way round', async (t) => {
  const folder = await makeFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const below = readSystemFault(faultOf(() => openSync(join(folder, 'file', 'x'), 'r')));
  assert.match(below!.says, /there is a file where a folder should be$/);
  const taken = readSystemFault(faultOf(() => mkdirSync(join(folder, 'file'))));
  assert.match(taken!.says, /there is a file where a folder should be$/);
  const opened = readSystemFault(faultOf(() => openSync(folder, 'w')));
  assert.match(opened!.says, /there is a folder where a file should be$/);
});

test('turns system errors into a sentence with the path and what to do', () => {
  const cases = {
    ENOSPC: /df -i/,
    EDQUOT: /df -i/,
    EROFS: /mount/,
    EACCES: /chown/,
    EMFILE: /ulimit -n/,
    EIO: /dmesg/,
  };
  for (const [code, todo] of Object.entries(cases)) {
    const fault = readSystemFault(systemError(code));
    assert.match(fault!.says, /\/data\/control\/control\.db/, code);
    assert.match(fault!.todo, todo, code);
  }
});

test('too many open files are reported with the limit to raise', () => {
  const explain = new URL('../commands/run-command-line.ts', import.meta.url).href;
  const script = `
    const { explainFault } = await import(${JSON.stringify(explain)});
    const { openSync } = await import('node:fs');
    try {
      for (;;) openSync('/dev/null');
    } catch (error) {
      process.stdout.write(explainFault(error).text);
    }`;
  const args = [
    '-c',
    'ulimit -n 128; exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ];
  const { stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8' });
  assert.match(
    stdout,
    /^\/dev\/null cannot be opened: too many files are open\. Raise the limit: ulimit -n/,
    stderr,
  );
});

test('a bug or a missing file is none of these', async (t) => {
  const folder = await makeFolder(t);
  assert.equal(readSystemFault(new TypeError('undefined is not a function')), undefined);
  assert.equal(readSystemFault(faultOf(() => readFileSync(join(folder, 'none')))), undefined);
  assert.equal(readSystemFault(faultOf(() => new DatabaseSync(':memory:').exec('selec 1'))), undefined);
  const bug = new TypeError('x');
  assert.equal(nameDatabase(bug, '/a'), bug);
});
