import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, link, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { times } from '../../test/support/long-form.ts';
import { type Disk, localDisk } from '../files/disk.ts';
import type { AppendFailure } from './append-failure.ts';
import type { GroupReport } from './group-commit.ts';
import { segmentPath } from './segment-file.ts';
import {
  append,
  appendEach,
  openTestJournal,
  payloadOf,
  payloads,
  readJournal,
  useFolders,
} from './test-journal.ts';

const makeFolder = useFolders();

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  // With 1 to 3 bytes per character, these texts have up to 300 KB.
  fc
    .tuple(fc.constantFrom('a', 'ß', '漢', '🛤', '\u0000', '"'), fc.integer({ min: 1, max: 50_000 }))
    .map(([unit, times]) => unit.repeat(times)),
);

function firstDifference(read: string[], written: string[]): number {
  if (read.length > written.length) return written.length;
  return written.findIndex((payload, index) => payload !== read[index]);
}

test('reads back exactly what was appended, across the borders of segments', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(200, 2000, 64 * 1024, 1024 * 1024),
      async (texts, segmentBytes) => {
        const written = texts.map((value) => JSON.stringify([value]));
        const folder = await makeFolder();
        const journal = await openTestJournal(t, folder, { segmentBytes });
        await Promise.all(written.map((payload) => append(journal, payload)));
        // Don't use deepEqual, whose report about texts of this size takes minutes.
        assert.equal(firstDifference(await readJournal(journal), written), -1);
        await journal.close();
        const again = await openTestJournal(t, folder, { segmentBytes });
        assert.equal(firstDifference(await readJournal(again), written), -1);
        await again.close();
      },
    ),
    { numRuns: times(12, 40) },
  );
});

test('starts a new segment once one is large enough', async (t) => {
  const journal = await openTestJournal(t, await makeFolder(), { segmentBytes: 400 });
  const written = payloads(20);
  await appendEach(journal, written);
  const numbers = journal.segments().map(({ number }) => number);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  );
  assert.ok(numbers.length > 3, `expected several segments, got ${numbers.length}`);
  assert.deepEqual(await readJournal(journal), written);
});

test('answers a record only when its bytes are in the file', async (t) => {
  const journal = await openTestJournal(t, await makeFolder(), { segmentBytes: 2000 });
  const seen: boolean[] = [];
  await Promise.all(
    payloads(100).map(
      (payload) =>
        new Promise<void>((resolve) =>
          journal.append(payload, () => {
            const { segment, offset } = journal.durable();
            const bytes = readFileSync(segmentPath(journal.folder, segment));
            seen.push(bytes.subarray(0, offset).includes(payload));
            resolve();
          }),
        ),
    ),
  );
  assert.deepEqual(seen, Array(100).fill(true));
});

test('reports a group once its records are answered', async (t) => {
  const order: string[] = [];
  const reported = Promise.withResolvers<void>();
  const journal = await openTestJournal(t, await makeFolder(), {
    onGroup({ records }) {
      order.push(`group of ${records}`);
      reported.resolve();
    },
  });
  for (const n of [1, 2]) journal.append(payloadOf(n), () => order.push(`answer ${n}`));
  await reported.promise;
  assert.deepEqual(order, ['answer 1', 'answer 2', 'group of 2']);
});

test('records that arrive together share few writes', async (t) => {
  const groups: GroupReport[] = [];
  const journal = await openTestJournal(t, await makeFolder(), { onGroup: (report) => groups.push(report) });
  const before = journal.bytes();
  await Promise.all(payloads(1000).map((payload) => append(journal, payload)));
  assert.equal(
    groups.reduce((sum, { records }) => sum + records, 0),
    1000,
  );
  assert.equal(
    groups.reduce((sum, { bytes }) => sum + bytes, 0),
    journal.bytes() - before,
  );
  assert.ok(groups.length <= 3, `expected at most 3 groups, got ${groups.length}`);
});

test('refuses a record that is too large to be framed, and continues', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  assert.throws(() => journal.append(`["${'x'.repeat(400_000)}"]`, () => {}), /400004 characters/);
  await appendEach(journal, payloads(1));
  assert.deepEqual(await readJournal(journal), payloads(1));
});

test('closing makes appended records durable and refuses later ones', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder);
  const answers: (AppendFailure | undefined)[] = [];
  for (const payload of payloads(50)) journal.append(payload, (failure) => answers.push(failure));
  await journal.close();
  assert.deepEqual(answers, Array(50).fill(undefined));
  assert.equal(await append(journal, payloadOf(51)), 'journal-closed');
  await journal.rotate();
  assert.deepEqual(await readJournal(await openTestJournal(t, folder)), payloads(50));
});

test('breaks, and answers every record, when the next segment cannot be created', async (t) => {
  const broken: Error[] = [];
  const journal = await openTestJournal(t, await makeFolder(), {
    segmentBytes: 1,
    onBroken: (error) => broken.push(error),
  });
  await mkdir(segmentPath(journal.folder, 2));
  const answers = await Promise.all(payloads(3).map((payload) => append(journal, payload)));
  assert.deepEqual(answers, Array(3).fill('journal-closed'));
  assert.equal(await append(journal, payloadOf(4)), 'journal-closed');
  assert.equal(broken.length, 1);
  assert.match(broken[0]!.message, /EEXIST/);
});

test('protects its folder and its files from other users', async (t) => {
  const folder = `${await makeFolder()}/journal`;
  const journal = await openTestJournal(t, folder);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(segmentPath(folder, 1))).mode & 0o777, 0o600);
  assert.match((await readFile(segmentPath(journal.folder, 1))).toString('latin1'), /^TRACKSIDE JOURNAL\n/);
});

const placelessDisk: Disk = { ...localDisk, placeNow: () => undefined };

for (const [what, take] of Object.entries({
  'its file is removed': (folder: string) => rm(segmentPath(folder, 1)),
  'its file is replaced': async (folder: string) => {
    const bytes = await readFile(segmentPath(folder, 1));
    await rm(segmentPath(folder, 1));
    await writeFile(join(folder, 'in-between'), '');
    await writeFile(segmentPath(folder, 1), bytes);
  },
  'its file is renamed': (folder: string) => rename(segmentPath(folder, 1), join(folder, 'elsewhere')),
  'its folder is removed': (folder: string) => rm(folder, { recursive: true }),
  'its folder is renamed': (folder: string) => rename(folder, `${folder}-elsewhere`),
  'a link to its folder leads elsewhere': async (folder: string) => {
    const target = `${folder}-target`;
    await rename(folder, target);
    await cp(target, `${folder}-copy`, { recursive: true });
    await symlink(`${folder}-copy`, folder);
  },
  'another folder is in its place': async (folder: string) => {
    await rename(folder, `${folder}-elsewhere`);
    await mkdir(folder);
  },
})) {
  for (const [system, disk] of Object.entries({ Linux: localDisk, 'another system': placelessDisk }))
    test(`on ${system}, answers no record as kept once ${what}, and tells the node to stop`, async (t) => {
      const folder = join(await makeFolder(), 'journal');
      const broken: Error[] = [];
      const journal = await openTestJournal(t, folder, { disk, onBroken: (error) => broken.push(error) });
      assert.equal(await append(journal, payloadOf(1)), undefined);
      await take(folder);
      const failures = await Promise.all(payloads(40, 2).map((payload) => append(journal, payload)));
      assert.deepEqual(new Set(failures), new Set<AppendFailure>(['journal-broken', 'journal-closed']));
      assert.equal(await append(journal, payloadOf(50)), 'journal-closed');
      assert.equal(broken.length, 1);
      assert.match(
        broken[0]!.message,
        /0000000001\.segment was removed or replaced .* Put the data folder back/,
      );
    });
}

for (const [what, move] of Object.entries({
  'its folder is moved, with a link in the old place': async (folder: string) => {
    await rename(folder, `${folder}-elsewhere`);
    await symlink(`${folder}-elsewhere`, folder);
  },
  'it has another name as well': async (folder: string) => {
    await link(segmentPath(folder, 1), join(folder, 'other'));
    await rename(segmentPath(folder, 1), join(folder, 'before'));
    await rename(join(folder, 'other'), segmentPath(folder, 1));
  },
}))
  test(`goes on with a file that is still at its path after ${what}`, async (t) => {
    const folder = join(await makeFolder(), 'journal');
    const journal = await openTestJournal(t, folder);
    assert.equal(await append(journal, payloadOf(1)), undefined);
    await move(folder);
    assert.equal(await append(journal, payloadOf(2)), undefined);
    assert.deepEqual(await readJournal(journal), payloads(2));
  });

test('answers no record as kept once another folder hides its own', async (t) => {
  const folder = await makeFolder();
  let isHidden = false;
  const disk: Disk = { ...localDisk, statNow: (path) => localDisk.statNow(isHidden ? '/' : path) };
  const broken: Error[] = [];
  const journal = await openTestJournal(t, folder, { disk, onBroken: (error) => broken.push(error) });
  assert.equal(await append(journal, payloadOf(1)), undefined);
  isHidden = true;
  assert.equal(await append(journal, payloadOf(2)), 'journal-broken');
  assert.match(broken[0]!.message, /was removed or replaced/);
});

test('seldom asks for the facts of its file, or each write would change them on disk', async (t) => {
  const folder = await makeFolder();
  let asked = 0;
  const disk: Disk = {
    ...localDisk,
    statNow(path) {
      if (path === segmentPath(folder, 1)) asked += 1;
      return localDisk.statNow(path);
    },
  };
  const journal = await openTestJournal(t, folder, { disk });
  const startedMs = performance.now();
  await appendEach(journal, payloads(100));
  const seconds = (performance.now() - startedMs) / 1000;
  // Other systems don't say where an open file is.
  if (process.platform === 'linux') assert.ok(asked <= 1 + seconds, `asked ${asked} times in ${seconds} s`);
});
