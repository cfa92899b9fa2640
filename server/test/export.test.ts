import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { appendEach, openTestJournal, payloads } from '../src/journal/test-journal.ts';
import { main } from './support/spawn-server.ts';
import { startTracksideHere, type TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

/** Enough for several slices, which is more than a pipe holds. */
const many = 20_000;
const few = 500;

async function fill(trackside: TracksideHere, websiteId: number, records: number): Promise<void> {
  await trackside.store.query({
    query: `insert into records (node, batch, website_id, day, received_at, local_at, kind, visitor_id, path)
            select 'test', 1, {id:UInt32}, '2026-03-02',
              toDateTime64('2026-03-02 10:00:00', 3, 'UTC') + number / 1000,
              '2026-03-02 11:00:00', 'page_view', cityHash64(number), concat('/page/', toString(number))
            from numbers({records:UInt32})`,
    params: { id: websiteId, records },
  });
}

test('trackside export writes what the store has, or says why not', async (t) => {
  const trackside = await startTracksideHere(t);
  const large = await trackside.addWebsite('large.test');
  const shop = await trackside.addWebsite('shop.test');
  await trackside.addWebsite('empty.test');
  await fill(trackside, large.id, many);
  await fill(trackside, shop.id, few);
  const file = (name: string) => join(trackside.dataDir, name);
  const start = (words: string[], stdout: 'pipe' | number = 'pipe'): ChildProcess =>
    spawn(process.execPath, [main, 'export', ...words, '--data-dir', trackside.dataDir], {
      stdio: ['ignore', stdout, 'pipe'],
    });
  const ending = async (child: ChildProcess) => {
    const [stderr] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    return { code: child.exitCode, stderr };
  };

  await t.test('writes only CSV to standard output', async () => {
    const { code, stdout, stderr } = await trackside.run('export', 'large.test', '--format', 'csv');
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0]!, /^"day","received_at","local_at","kind","visitor_id",/);
    assert.equal(new Set(lines).size, many + 1);
  });

  await t.test('writes each format to a file, and a summary', async () => {
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const path = file(`out.${format}`);
      const words = ['export', String(shop.id), '--format', format, '--output', path, '--json'];
      const { code, stdout, stderr } = await trackside.runHere(...words);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), {
        website: { id: shop.id, domain: 'shop.test' },
        format,
        from: null,
        to: null,
        file: path,
        records: few,
        bytes: readFileSync(path).length,
        isComplete: true,
      });
      assert.ok(!existsSync(`${path}.part`));
    }
    assert.equal(readFileSync(file('out.parquet')).subarray(0, 4).toString(), 'PAR1');
  });

  await t.test('exports only the requested days', async () => {
    for (const [from, to, expected] of [
      ['2026-03-02', '2026-03-02', few],
      ['2026-03-03', '2026-03-09', 0],
    ] as const) {
      const path = file(`from-${from}.ndjson`);
      const words = ['export', 'shop.test', '--format', 'ndjson', '--from', from, '--to', to];
      const { code, stderr } = await trackside.runHere(...words, '--output', path);
      assert.equal(code, 0, stderr);
      assert.equal(readFileSync(path, 'utf8').split('\n').length - 1, expected);
    }
    const [last] = await trackside.control.auditLog.list({ limit: 1 });
    assert.deepEqual(
      [last?.action, last?.actor, last?.detail],
      ['website.exported', 'command line', { from: '2026-03-03', to: '2026-03-09' }],
    );
  });

  await t.test('explains what it does not understand', async () => {
    const mistakes = [
      [['shop.test'], 1, /--format: expected csv, ndjson or parquet, got nothing/],
      [['shop.test', '--format', 'xml'], 1, /--format: expected csv, ndjson or parquet, got "xml"/],
      [['nowhere.test', '--format', 'csv'], 1, /nowhere\.test/],
      [['shop.test', '--format', 'ndjson', '--raw'], 1, /--raw: expected only with --format csv, got ndjson/],
      [['shop.test', '--format', 'csv', '--from', '2026-02-30'], 1, /--from: expected a day .*"2026-02-30"/],
      [['shop.test', '--format', 'csv', '--to', 'today'], 1, /--to: expected a day .*"today"/],
      [
        ['shop.test', '--format', 'csv', '--from', '2026-03-02', '--to', '2026-03-01'],
        1,
        /--to: .*later day/,
      ],
      [['shop.test', '--format', 'csv', '--json'], 1, /--json .*--output FILE/],
      [['shop.test', '--format', 'csv', '--output', file('out.csv')], 1, /out\.csv: .*already/],
      [['shop.test', '--format', 'csv', '--output', file('none/out.csv')], 1, /no such folder/],
      [['--format', 'csv'], 2, /export WEBSITE/],
    ] as const;
    for (const [words, code, says] of mistakes) {
      const { stdout, stderr, code: found } = await trackside.runHere('export', ...words);
      assert.deepEqual([found, stdout], [code, ''], words.join(' '));
      assert.match(stderr, says);
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    }
  });

  await t.test('has a help text', async () => {
    const { code, stdout } = await trackside.runHere('export', '--help');
    assert.equal(code, 0);
    assert.match(stdout, /^trackside export WEBSITE --format csv\|ndjson\|parquet/);
  });

  await t.test('leaves nothing behind for an unknown website', async () => {
    const before = readdirSync(trackside.dataDir);
    await trackside.runHere('export', 'nowhere.test', '--format', 'csv', '--output', file('nowhere.csv'));
    assert.deepEqual(readdirSync(trackside.dataDir), before);
  });

  await t.test('writes a file for a website without records', async () => {
    const path = file('empty.csv');
    const words = ['export', 'empty.test', '--format', 'csv', '--output', path];
    const { code, stdout } = await trackside.runHere(...words);
    assert.equal(code, 0);
    assert.match(stdout, /^Exported 0 records of empty\.test to /);
    assert.match(readFileSync(path, 'utf8'), /^"day",.*\n$/);
  });

  await t.test('says that the disk is full', { skip: !existsSync('/dev/full') }, async () => {
    const full = openSync('/dev/full', 'w');
    const child = start(['large.test', '--format', 'csv'], full);
    closeSync(full);
    assert.deepEqual(await ending(child), {
      code: 1,
      stderr: 'trackside: standard output: the disk is full.\n',
    });
  });

  await t.test('says that its reader has left', async () => {
    const child = start(['large.test', '--format', 'ndjson']);
    await firstBytes(child.stdout!);
    child.stdout!.destroy();
    assert.deepEqual(await ending(child), {
      code: 1,
      stderr: 'trackside: standard output: the reader closed the pipe before everything was written.\n',
    });
  });

  await t.test('ends when it is interrupted, and says that the file is incomplete', async () => {
    const child = start(['large.test', '--format', 'ndjson']);
    await firstBytes(child.stdout!);
    child.kill('SIGINT');
    child.stdout!.resume();
    const { code, stderr } = await ending(child);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^trackside: The export stopped after [\d,]+ records: interrupted\. .*incomplete\.\n$/,
    );
  });

  await t.test('fails when the engine is gone on the way', async () => {
    const child = start(['large.test', '--format', 'csv']);
    await firstBytes(child.stdout!);
    for (const pid of trackside.enginePids()) process.kill(pid, 'SIGKILL');
    await waitFor('the engine to be gone', async () => !(await trackside.store.ping()));
    child.stdout!.resume();
    const { code, stderr } = await ending(child);
    assert.equal(code, 1);
    assert.match(stderr, /^trackside: The export stopped after [\d,]+ records: .*incomplete\.\n$/);
  });

  await t.test('works without a server as well', async () => {
    await trackside.end('SIGTERM');
    const path = file('alone.ndjson');
    const words = ['export', 'shop.test', '--format', 'ndjson', '--output', path];
    const { code, stderr } = await trackside.runHere(...words);
    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(path, 'utf8').split('\n').length, few + 1);
  });

  await t.test('says that records wait to be loaded, which no server does', async () => {
    const journal = await openTestJournal(t, join(trackside.dataDir, 'journal'));
    await appendEach(journal, payloads(1));
    const waits = /are not in the store yet.* Start the server, which loads them, then export again\.$/m;
    const toStdout = await trackside.runHere('export', 'shop.test', '--format', 'csv');
    assert.equal(toStdout.code, 1);
    assert.match(toStdout.stderr, waits);
    const output = file('waiting.csv');
    const toFile = await trackside.runHere('export', 'shop.test', '--format', 'csv', '--output', output);
    assert.equal(toFile.code, 1);
    assert.match(toFile.stdout, waits);
    assert.ok(existsSync(output), 'what there is is kept');
  });
});

/** Reads the first byte. The export then waits, because a pipe holds less than the rest of it. */
async function firstBytes(stream: Readable): Promise<void> {
  await once(stream, 'readable');
  assert.ok(stream.read(1) !== null);
}
