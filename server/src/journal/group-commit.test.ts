import assert from 'node:assert/strict';
import fs, { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../control/test-control.ts';
import { localDisk } from '../files/disk.ts';
import type { AppendFailure } from './append-failure.ts';
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
import { noteOf, readAllFrames } from './read-frames.ts';
import { payloads, readStretch, useFolders } from './test-journal.ts';

const makeFolder = useFolders();
const toNotes: GroupCommitOptions['toNotes'] = (verdicts) => [JSON.stringify(['verdicts', ...verdicts])];

function startCommit(
  file: FileHandle,
  segmentBytes = 1e9,
  onGroup: GroupCommitOptions['onGroup'] = () => {},
) {
  const broken: Error[] = [];
  const ends: number[] = [];
  const commit = new GroupCommit({
    disk: localDisk,
    opened: { file, offset: 0, reservedTo: 0, findFault: () => undefined },
    segmentBytes,
    isNextReady: () => false,
    beforeTrim: () => {},
    nextSegment: () => Promise.reject(new Error('no next segment in this test')),
    onDurable: (end) => ends.push(end),
    toNotes,
    onGroup,
    onBroken: (error) => broken.push(error),
    log: silentLog(),
  });
  return { commit, broken, ends };
}

function append(commit: GroupCommit, payload: string): Promise<AppendFailure | undefined> {
  return new Promise((resolve) => commit.append(payload, resolve));
}

async function openFile(t: TestContext, path: string, flags: string): Promise<FileHandle> {
  const file = await open(path, flags);
  t.after(() => file.close());
  return file;
}

/** A file on a disk that has no space while `isFull`. The kernel itself refuses the writes. */
async function openFillingFile(t: TestContext) {
  const folder = await makeFolder();
  const real = await openFile(t, join(folder, '0000000001.segment'), 'w+');
  const full = await openFile(t, '/dev/full', 'r+');
  const disk = { isFull: false, cutTo: [] as number[] };
  const file = new Proxy(real, {
    get(target, name) {
      if (name === 'fd') return disk.isFull ? full.fd : target.fd;
      if (name === 'close') return async () => {};
      if (name === 'datasync') return () => target.datasync();
      if (name === 'truncate') {
        return (length: number) => {
          disk.cutTo.push(length);
          return target.truncate(length);
        };
      }
      return Reflect.get(target, name);
    },
  });
  return { file, folder, disk };
}

test('refuses the group that the disk has no space for, and writes the next one', async (t) => {
  const { file, folder, disk } = await openFillingFile(t);
  const { commit, broken, ends } = startCommit(file);
  const [first, second, third, fourth] = payloads(4) as [string, string, string, string];
  assert.equal(await append(commit, first), undefined);
  assert.equal(commit.isDiskRefusing(), false);

  disk.isFull = true;
  const refused = await Promise.all([append(commit, second), append(commit, third)]);
  assert.deepEqual(refused, ['journal-full', 'journal-full']);
  assert.ok(commit.isDiskRefusing(), 'the caller is told to wait a moment');
  assert.ok(commit.isDiskFull());
  assert.deepEqual(disk.cutTo, [ends[0]!], 'what may have been written of the group is cut off');

  disk.isFull = false;
  assert.equal(await append(commit, fourth), undefined);
  assert.ok(!commit.isDiskFull(), 'a write that succeeds shows that there is space');
  assert.deepEqual(broken, []);
  const { payloads: read, damagedBytes } = await readStretch(folder, 1, 0, ends.at(-1)!);
  assert.deepEqual(read, [first, fourth]);
  assert.equal(damagedBytes, 0);
  await commit.close();
});

test('a disk that nothing is written to does not count as full forever', async (t) => {
  const { file, disk } = await openFillingFile(t);
  const { commit } = startCommit(file);
  const now = performance.now.bind(performance);
  let laterMs = 0;
  t.mock.method(performance, 'now', () => now() + laterMs);
  disk.isFull = true;
  assert.equal(await append(commit, payloads(1)[0]!), 'journal-full');
  laterMs = 5_000;
  assert.ok(!commit.isDiskRefusing(), 'the disk may be tried again');
  assert.ok(commit.isDiskFull());
  laterMs = 20_000;
  assert.ok(!commit.isDiskFull());
  await commit.close();
});

const appendVerdict = (commit: GroupCommit, verdict: object): Promise<AppendFailure | undefined> =>
  new Promise((resolve) => commit.appendVerdict(verdict, resolve));

async function readNotes(folder: string, to: number): Promise<string[]> {
  const notes: string[] = [];
  for await (const { frames } of readAllFrames(folder, 1, 0, to))
    for (const frame of frames) notes.push(noteOf(frame) ?? 'none');
  return notes;
}

test('writes all verdicts of a group as one note, with or without records', async (t) => {
  const { file, folder } = await openFillingFile(t);
  const reports: number[] = [];
  const { commit, ends } = startCommit(file, 1e9, ({ records }) => reports.push(records));
  const verdicts = [{ a: 1 }, { a: 2 }];
  assert.deepEqual(await Promise.all(verdicts.map((one) => appendVerdict(commit, one))), [
    undefined,
    undefined,
  ]);
  assert.deepEqual(await readNotes(folder, ends[0]!), ['["verdicts",{"a":1},{"a":2}]']);
  const [payload] = payloads(1) as [string];
  await Promise.all([append(commit, payload), appendVerdict(commit, { a: 3 })]);
  assert.deepEqual(await readNotes(folder, ends[1]!), [
    '["verdicts",{"a":1},{"a":2}]',
    'none',
    '["verdicts",{"a":3}]',
  ]);
  assert.deepEqual((await readStretch(folder, 1, 0, ends[1]!)).payloads, [payload]);
  assert.deepEqual(reports, [0, 1], 'a verdict is no record');
  assert.equal(commit.oldestUnanswered(), undefined);
  await commit.close();
});

test('a verdict that could not be written does not come into a later group', async (t) => {
  const { file, folder, disk } = await openFillingFile(t);
  const { commit, ends } = startCommit(file);
  disk.isFull = true;
  assert.equal(await appendVerdict(commit, { a: 1 }), 'journal-full');
  disk.isFull = false;
  assert.equal(await appendVerdict(commit, { a: 2 }), undefined);
  assert.deepEqual(await readNotes(folder, ends.at(-1)!), ['["verdicts",{"a":2}]']);
  await commit.close();
  assert.equal(await appendVerdict(commit, { a: 3 }), 'journal-closed');
});

test('breaks if what a full disk accepted cannot be cut off again', async (t) => {
  // A device can't be truncated, so what comes after the last record stays unknown.
  const { commit, broken } = startCommit(await openFile(t, '/dev/full', 'r+'));
  assert.equal(await append(commit, payloads(1)[0]!), 'journal-broken');
  assert.equal(broken.length, 1);
});

test('breaks on any other fault: answers all, reports once and accepts no more', async (t) => {
  const path = join(await makeFolder(), 'segment');
  await openFile(t, path, 'w');
  // The file is opened for reading only, so the kernel refuses the write with EBADF.
  const { commit, broken, ends } = startCommit(await openFile(t, path, 'r'));
  const answers = await Promise.all(payloads(3).map((payload) => append(commit, payload)));
  assert.deepEqual(answers, Array(3).fill('journal-broken'), 'nobody knows what the disk has of them');
  assert.equal(await append(commit, payloads(1)[0]!), 'journal-closed');
  await commit.rotate();
  await commit.close();
  assert.equal(broken.length, 1);
  assert.match(broken[0]!.message, /EBADF/);
  assert.deepEqual(ends, []);
  assert.equal(readFileSync(path).length, 0);
});

test('refuses records while there is no descriptor for the next segment, and breaks nothing', async (t) => {
  const { file } = await openFillingFile(t);
  const next = await openFillingFile(t);
  const opened = (of: FileHandle) =>
    ({ file: of, offset: 0, reservedTo: 0, findFault: () => undefined }) as GroupCommitOptions['opened'];
  let isShort = true;
  const broken: Error[] = [];
  const commit = new GroupCommit({
    disk: localDisk,
    opened: opened(file),
    segmentBytes: 1,
    isNextReady: () => false,
    beforeTrim: () => {},
    log: silentLog(),
    onDurable: () => {},
    toNotes,
    onGroup: () => {},
    nextSegment: async () => {
      if (isShort) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return opened(next.file);
    },
    onBroken: (error) => broken.push(error),
  });
  const [first, second, third] = payloads(3) as [string, string, string];
  assert.equal(await append(commit, first), undefined);
  assert.equal(await append(commit, second), 'journal-full');
  isShort = false;
  assert.equal(await append(commit, third), undefined);
  assert.deepEqual(broken, []);
  await commit.close();
});

test('answers the records that wait behind a failed group', async (t) => {
  const path = join(await makeFolder(), 'segment');
  await openFile(t, path, 'w');
  const { commit } = startCommit(await openFile(t, path, 'r'));
  const answers: (AppendFailure | undefined)[] = [];
  commit.append(payloads(1)[0]!, (failure) => answers.push(failure));
  // After two turns of the event loop the first group is being written, and this one waits.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const waiting = append(commit, payloads(1, 2)[0]!);
  assert.equal(await waiting, 'journal-closed');
  assert.deepEqual(answers, ['journal-broken']);
});

test('refuses records when more wait for the disk than memory should hold', async (t) => {
  const { file, folder } = await openFillingFile(t);
  const { commit, ends } = startCommit(file);
  const payload = JSON.stringify(['x'.repeat(300_000)]);
  const answers = await Promise.all(Array.from({ length: 300 }, () => append(commit, payload)));
  const accepted = answers.filter((answer) => answer === undefined).length;
  assert.ok(accepted > 100 && accepted < 300, `${accepted} of 300 were accepted`);
  assert.equal(answers.filter((answer) => answer === 'journal-full').length, 300 - accepted);
  assert.equal((await readStretch(folder, 1, 0, ends.at(-1)!)).payloads.length, accepted);
  assert.equal(await append(commit, payload), undefined, 'accepts again once the disk has caught up');
  await commit.close();
});

test('a broken invariant acknowledges nothing, refuses what waits and reports once', async (t) => {
  const { file } = await openFillingFile(t);
  const broken: Error[] = [];
  const commit = new GroupCommit({
    disk: localDisk,
    opened: { file, offset: 0, reservedTo: 0, findFault: () => undefined },
    segmentBytes: 1e9,
    isNextReady: () => false,
    beforeTrim: () => {},
    nextSegment: () => Promise.reject(new Error('no next segment in this test')),
    // The journal does this when a segment doesn't grow by what was written.
    onDurable: (end) => assert.equal(end, 0, 'expected by this test'),
    toNotes,
    onGroup: () => assert.fail('expected no group to be reported'),
    onBroken: (error) => broken.push(error),
    log: silentLog(),
  });
  const answers = payloads(40).map((payload) => append(commit, payload));
  const [written, waiting] = [Array(16).fill('journal-broken'), Array(24).fill('journal-closed')];
  assert.deepEqual(await Promise.all(answers), [...written, ...waiting]);
  assert.equal(await append(commit, payloads(1)[0]!), 'journal-closed');
  await commit.rotate();
  await commit.close();
  assert.equal(broken.length, 1);
  assert.ok(broken[0] instanceof assert.AssertionError);
});

test('a write that accepts no bytes and reports success breaks the journal', async (t) => {
  const { file } = await openFillingFile(t);
  const { commit, broken, ends } = startCommit(file);
  t.mock.method(fs, 'write', (...all: unknown[]) => {
    const done = all.at(-1) as (error: null, written: number) => void;
    setImmediate(done, null, 0);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.reset();
    syncBuiltinESMExports();
  });
  assert.equal(await append(commit, payloads(1)[0]!), 'journal-broken');
  assert.match(broken[0]!.message, /Every byte of a group must be on disk/);
  assert.deepEqual(ends, []);
});

test('writes records that are appended together as one group, also while another is being written', async () => {
  const folder = await makeFolder();
  const file = await open(join(folder, '0000000001.segment'), 'w+');
  const groups: number[] = [];
  const { commit } = startCommit(file, 1e9, ({ records }) => groups.push(records));
  const together = (count: number) =>
    new Promise<void>((resolve, reject) => {
      let left = count;
      const done = (failure?: AppendFailure) => {
        left -= 1;
        if (failure !== undefined) reject(new Error(failure));
        if (left === 0) resolve();
      };
      commit.appendTogether(payloads(count).map((payload) => ({ payload, done })));
    });
  await together(100);
  assert.deepEqual(groups, [100]);
  const first = append(commit, payloads(1)[0]!);
  const rest = [together(40), together(30)];
  await Promise.all([first, ...rest]);
  assert.equal(
    groups.slice(1).reduce((sum, records) => sum + records, 0),
    71,
  );
  assert.ok(
    groups.slice(1).every((records) => [1, 41, 71, 70, 30].includes(records)),
    String(groups),
  );
  await commit.close();
});
