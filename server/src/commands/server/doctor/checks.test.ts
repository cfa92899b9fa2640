import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testLong } from '../../../../test/support/long-form.ts';
import { openPlace } from '../../../backup/open-place.ts';
import { markPlace } from '../../../backup/place-mark.ts';
import type { Config } from '../../../config/config.ts';
import { readConfig } from '../../../config/read-config.ts';
import { createFakeClock, makeFolder, openTestControl, silentLog } from '../../../control/test-control.ts';
import { runSql } from '../../../control/test-database.ts';
import { openDamageLog } from '../../../damage/damage-log.ts';
import { describeGap } from '../../../damage/journal-gap.ts';
import { dataFolder } from '../../../files/data-folder.ts';
import { localDisk } from '../../../files/disk.ts';
import { workerFolder } from '../../../files/worker-folders.ts';
import { openJournal } from '../../../journal/open-journal.ts';
import { segmentPath } from '../../../journal/segment-file.ts';
import { recordColumns } from '../../../records/record-columns.ts';
import { doctorCommand } from '../doctor.ts';
import { checkBackup } from './check-backup.ts';
import { checkClock } from './check-clock.ts';
import { checkControl } from './check-control.ts';
import { checkDamage } from './check-damage.ts';
import { checkDisk } from './check-disk.ts';
import { checkEngine } from './check-engine.ts';
import { checkFolder } from './check-folder.ts';
import { checkJournal } from './check-journal.ts';
import { checkNode } from './check-node.ts';
import { checkSync } from './check-sync.ts';
import { checkUser } from './check-user.ts';
import { type Finding, showBytes } from './finding.ts';

const now = '2026-03-10T09:00:00Z';

async function configOf(t: TestContext, flags: Record<string, string> = {}): Promise<Config> {
  const dataDir = await makeFolder(t);
  return readConfig({ 'data-dir': dataDir, ...flags }, {});
}

const inputOf = (config: Config) => ({
  name: 'doctor',
  config,
  clock: createFakeClock(now),
  words: [],
  flags: {},
  lists: {},
  progress: () => {},
  print: () => {},
  isColored: false,
});
const statesOf = (findings: Finding[]) => findings.map(({ state }) => state);

/** Creates a control database with a website, and its key. */
async function addControl(t: TestContext, config: Config): Promise<void> {
  const { control } = await openTestControl(t, { folder: dataFolder(config.dataDir).control });
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  await control.close();
}

test('node: is fine from 24.7 on', () => {
  for (const version of ['24.7.0', '24.10.1', '26.10.0', '100.0.0'])
    assert.equal(checkNode(version).state, 'ok');
  for (const version of ['20.19.0', '24.6.9', '4.99.0']) {
    assert.equal(checkNode(version).state, 'fault');
    assert.match(checkNode(version).todo!, /npx trackside/);
  }
});

test('folder: says what to do before the first start', async (t) => {
  const config = await configOf(t);
  const missing = { ...config, dataDir: join(config.dataDir, 'none') };
  assert.deepEqual(statesOf(await checkFolder(missing)), ['warning']);
  assert.deepEqual(statesOf(await checkFolder(config)), ['ok']);
});

test('folder: fails when it is a file', async (t) => {
  const config = await configOf(t);
  const file = join(config.dataDir, 'file');
  await writeFile(file, '');
  const [finding] = await checkFolder({ ...config, dataDir: file });
  assert.equal(finding?.state, 'fault');
  assert.match(finding.says, /is not a folder$/);
});

test('folder: warns when other users can read it', async (t) => {
  const config = await configOf(t);
  for (const mode of [0o755, 0o710, 0o701]) {
    await chmod(config.dataDir, mode);
    const [, finding] = await checkFolder(config);
    assert.deepEqual(finding, {
      state: 'warning',
      says: 'other users can see what is in it',
      todo: `chmod 700 ${config.dataDir}`,
    });
  }
});

const isRoot = process.getuid?.() === 0;
test('folder: fails when this user cannot write to it, which root can', async (t) => {
  const config = await configOf(t);
  await chmod(config.dataDir, 0o500);
  assert.equal((await checkFolder(config))[0]?.state, isRoot ? 'ok' : 'fault');
});

test('folder: reports a missing key, and one that others can read', async (t) => {
  const config = await configOf(t);
  await mkdir(dataFolder(config.dataDir).control, { mode: 0o700 });
  const [, missing] = await checkFolder(config);
  assert.equal(missing?.state, 'fault');
  assert.match(missing.says, /secret\.key is missing$/);
  await writeFile(config.secretKeyFile, 'key');
  for (const mode of [0o600, 0o400, 0o640]) {
    await chmod(config.secretKeyFile, mode);
    assert.deepEqual(statesOf(await checkFolder(config)), ['ok'], mode.toString(8));
  }
  for (const mode of [0o604, 0o620, 0o602, 0o601]) {
    await chmod(config.secretKeyFile, mode);
    const [, open] = await checkFolder(config);
    assert.equal(open?.todo, `chmod 600 ${config.secretKeyFile}`, mode.toString(8));
    assert.equal(open.state, 'fault');
  }
});

test('folder: finds a file that others can read, and is strict about the database', async (t) => {
  const config = await configOf(t);
  await addControl(t, config);
  const folder = dataFolder(config.dataDir);
  await writeFile(config.secretKeyFile, 'key', { mode: 0o600 });
  await writeFile(folder.nodeLock, '', { mode: 0o600 });
  assert.deepEqual(statesOf(await checkFolder(config)), ['ok']);
  await chmod(folder.nodeLock, 0o644);
  const [, lock] = await checkFolder(config);
  assert.deepEqual(lock, {
    state: 'warning',
    says: `other users can open ${folder.nodeLock} (mode 0644)`,
    todo: `chmod 600 ${folder.nodeLock}; restarting the server fixes all of them`,
  });
  const database = join(folder.control, 'control.db');
  await chmod(database, 0o660);
  assert.equal((await checkFolder(config))[1]?.state, 'warning');
  await chmod(database, 0o604);
  const [, grave] = await checkFolder(config);
  assert.equal(grave?.state, 'fault');
  assert.equal(grave.says, `other users can open ${database} (mode 0604) and 1 more`);
});

test('user: should own the folder, and should not be root', async (t) => {
  const { dataDir } = await configOf(t);
  const { uid } = await stat(dataDir);
  const [other] = await checkUser({ dataDir, uid: uid + 1 });
  assert.equal(other?.state, 'warning');
  assert.match(other.says, new RegExp(`belongs to the user with the ID ${uid}, .* the ID ${uid + 1}$`));
  assert.match(other.todo!, /^run it as the owner/);
  const [own] = await checkUser({ dataDir, uid });
  assert.equal(own?.state, uid === 0 ? 'warning' : 'ok');
  assert.match(uid === 0 ? own.todo! : own.says, uid === 0 ? /User=/ : /owns the data folder$/);
});

test('disk: is judged by the space that must stay free', async (t) => {
  const config = await configOf(t);
  const stateAt = async (minFreeBytes: number) => statesOf(await checkDisk({ ...config, minFreeBytes }))[0];
  assert.equal(await stateAt(1), 'ok');
  assert.equal(await stateAt(1e18), 'fault');
  const { bavail, bsize } = await statfs(config.dataDir);
  assert.equal(await stateAt(Math.round((bavail * bsize) / 2)), 'warning');
});

test('fsync: is measured, and leaves nothing behind', async (t) => {
  const { dataDir } = await configOf(t);
  const [finding] = await checkSync(dataDir);
  assert.match(finding!.says, /^median \d+\.\d\d ms, slowest \d+\.\d\d ms, of \d+ writes$/);
  assert.deepEqual(await readdir(dataDir), []);
});

test('clock: fails before the date of this software, and when files are from the future', async (t) => {
  const { dataDir } = await configOf(t);
  const folder = dataFolder(dataDir);
  const clock = createFakeClock(now);
  assert.deepEqual(await checkClock(folder, createFakeClock('1970-01-01T00:10:00Z')), [
    {
      state: 'fault',
      says: 'the clock says 1970-01-01 00:10:00 UTC, which cannot be right',
      todo: 'set the clock; run an NTP client',
    },
  ]);
  assert.deepEqual(statesOf(await checkClock(folder, clock)), ['ok']);
  await mkdir(folder.journal);
  const file = join(folder.journal, 'ledger');
  await writeFile(file, '');
  const secondsAhead = (seconds: number) => utimes(file, 0, Date.parse(now) / 1000 + seconds);
  await secondsAhead(59);
  assert.deepEqual(statesOf(await checkClock(folder, clock)), ['ok']);
  await secondsAhead(3600);
  const [finding] = await checkClock(folder, clock);
  assert.equal(finding?.state, 'fault');
  assert.match(finding.says, /^the clock says 2026-03-10 09:00:00 UTC, but ledger was written after that/);
});

test('control: counts websites once there is a database', async (t) => {
  const config = await configOf(t);
  assert.deepEqual(statesOf(await checkControl(inputOf(config))), ['warning']);
  await addControl(t, config);
  const secretKeyFile = join(dataFolder(config.dataDir).control, 'secret-key');
  const check = () => checkControl(inputOf({ ...config, secretKeyFile }));
  const ofKey = {
    state: 'ok',
    says: `${secretKeyFile} opens everything that is encrypted (2)`,
    todo: undefined,
  };
  assert.deepEqual(await check(), [{ state: 'ok', says: '1 website', todo: undefined }, ofKey]);
  await writeFile(`${secretKeyFile}.next`, 'a key that no database has');
  assert.deepEqual(statesOf(await check()), ['ok', 'ok', 'warning']);
  await runSql(dataFolder(config.dataDir).control, "update api_keys set key_encrypted = x'01'");
  const [, broken] = await check();
  assert.equal(broken?.state, 'fault');
  assert.match(broken!.says, /does not open api_keys\.key of website 1$/);
  await assert.rejects(checkControl(inputOf(config)), { message: /secret\.key is missing/ });
});

test('journal: reports how full it is, and how long records have waited', async (t) => {
  const config = await configOf(t);
  const folder = dataFolder(config.dataDir);
  const clock = createFakeClock(now);
  const check = (changes: Partial<Config> = {}) => checkJournal({ config: { ...config, ...changes }, clock });
  assert.deepEqual(await check(), [{ state: 'ok', says: 'empty', todo: undefined }]);

  const journal = await openJournal({
    disk: localDisk,
    folder: folder.journal,
    node: 'n1',
    columns: recordColumns,
    clock,
    log: silentLog(),
    segmentBytes: 1e6,
    readyBytes: 0,
    maxBytes: 1e9,
    minFreeBytes: 0,
    toNotes: () => [],
    onGroup: () => {},
    answered: [],
    damage: { report: async () => {} },
    onBroken: (error) => {
      throw error;
    },
  });
  t.after(() => journal.close());
  const [fresh, nothing] = await check();
  assert.match(fresh!.says, /^\d+ B in 1 segment, full at 20\.0 GB$/);
  assert.match(nothing!.says, /nothing left to load$/);

  const { promise, resolve } = Promise.withResolvers<unknown>();
  journal.append(`["2026-03-10",1,"2026-03-10 09:00:00.000","${'a'.repeat(5000)}"]`, resolve);
  assert.equal(await promise, undefined);
  assert.deepEqual(statesOf(await check()), ['ok', 'ok']);
  assert.match((await check())[1]!.says, /5\.1 KB left to load$/);
  const [full] = await check({ journalMaxBytes: 6000 });
  assert.equal(full?.state, 'warning');
  assert.match(full.todo!, /--journal-max-bytes/);
  clock.pass(31_000);
  assert.deepEqual(statesOf(await check()), ['ok', 'warning']);
});

test('journal: finds a segment that cannot be read', async (t) => {
  const config = await configOf(t);
  const folder = dataFolder(config.dataDir);
  await mkdir(folder.journal);
  await writeFile(segmentPath(folder.journal, 7), 'this was never a segment of a journal');
  const [, finding] = await checkJournal({ config, clock: createFakeClock(now) });
  assert.equal(finding?.state, 'fault');
  assert.equal(finding.says, 'segment 7: not a journal segment');
  const { journal } = workerFolder(config.dataDir, 2);
  await mkdir(journal, { recursive: true });
  await writeFile(segmentPath(journal, 3), 'nor was this one, which is just as long');
  const found = await checkJournal({ config, clock: createFakeClock(now) });
  assert.match(found[0]!.says, / in 2 segments, /);
  assert.ok(found.some(({ says }) => says === 'worker 2, segment 3: not a journal segment'));
});

testLong('engine: answers, or says that the journal keeps records in the meantime', async (t) => {
  const config = await configOf(t);
  const [started] = await checkEngine(inputOf(config));
  assert.equal(started?.state, 'ok');
  assert.match(
    started.says,
    /^ClickHouse [\d.]+ answered in [\d.]+ ms \(started for this check, because no server is running\)$/,
  );

  const broken = await configOf(t);
  await writeFile(dataFolder(broken.dataDir).store, 'not a folder');
  const [finding] = await checkEngine(inputOf(broken));
  assert.equal(finding?.state, 'fault');
  assert.match(finding.todo!, /trackside repair/);

  const locked = await configOf(t);
  await writeFile(`${dataFolder(locked.dataDir).store}.lock`, 'this is not a lock that anyone can take');
  const [unlockable] = await checkEngine(inputOf(locked));
  assert.match(unlockable?.says ?? '', /store\.lock is damaged: .*; delete it while .*; it holds no data$/);
});

test('doctor: finds nothing wrong before the first start', async (t) => {
  const config = await configOf(t);
  const output = await doctorCommand.run(inputOf({ ...config, dataDir: join(config.dataDir, 'none') }));
  assert.ok(output);
  assert.equal(output.isFailure, false, output.text);
  assert.match(output.text, /warn {2}data folder .*does not exist yet\n +→ start the server once/);
});

test('doctor: reports what is wrong and continues with the other checks', async (t) => {
  const config = await configOf(t, { 'min-free-bytes': '1000000TB' });
  await writeFile(dataFolder(config.dataDir).store, 'not a folder');
  await mkdir(dataFolder(config.dataDir).control, { mode: 0o700 });
  const database = join(dataFolder(config.dataDir).control, 'control.db');
  await writeFile(database, 'not a database'.repeat(100), { mode: 0o600 });
  const output = await doctorCommand.run(inputOf(config));
  assert.equal(output?.isFailure, true);
  const { findings } = output.json as { findings: (Finding & { check: string })[] };
  const wrong = findings.filter(({ state }) => state === 'fault').map(({ check }) => check);
  assert.deepEqual(wrong, ['data folder', 'disk', 'control', 'engine']);
  const control = findings.find(({ check }) => check === 'control');
  assert.equal(control?.says, `the control database ${database} is damaged: it is not a database`);
  assert.match(control.todo!, /^stop the server, .* restore a backup/);
  assert.doesNotMatch(output.text, /run `trackside doctor`/i);
  assert.ok(findings.some(({ check, state }) => check === 'fsync' && state !== 'fault'));
});

test('formats sizes for people', () => {
  const shown = [0, 999, 1000, 1_234_567, 20e9, 3e15].map(showBytes);
  assert.deepEqual(shown, ['0 B', '999 B', '1.0 KB', '1.2 MB', '20.0 GB', '3000.0 TB']);
});

test('damage: is listed with what to do until it is forgotten, even twice', async (t) => {
  const config = await configOf(t);
  const folder = dataFolder(config.dataDir).damage;
  assert.deepEqual(statesOf(await checkDamage(folder)), ['ok']);
  const damage = await openDamageLog({ folder, clock: createFakeClock(now), log: silentLog() });
  const [first, second] = [
    { segment: 3, from: 90, to: 602 },
    { segment: 4, from: 7, to: 8 },
  ];
  await damage.report(describeGap(first!, false));
  await damage.report(describeGap(second!, true));
  const findings = await checkDamage(folder);
  assert.deepEqual(statesOf(findings), ['fault', 'fault']);
  assert.match(findings[0]!.says, /512 bytes of journal segment 3, from byte 90, can't be read; .* are lost/);
  assert.match(findings[0]!.todo!, /trackside doctor --forget journal-frames-3-90-512/);
  const forget = (id: string) => doctorCommand.run({ ...inputOf(config), lists: { forget: [id] } });
  for (const forgotten of [['journal-frames-3-90-512'], []]) {
    const output = await forget('journal-frames-3-90-512');
    assert.deepEqual((output!.json as { forgotten: string[] }).forgotten, forgotten);
    assert.notEqual(output!.isFailure, true);
    assert.match(output!.text, /Still on the list:\njournal-frames-4-7-1: /);
  }
  assert.match((await forget('journal-frames-4-7-1'))!.text, /There is no other known damage\./);
  assert.deepEqual(statesOf(await checkDamage(folder)), ['ok']);
});

test('backup: checks whether it is still there', async (t) => {
  const { dataDir } = await configOf(t);
  const folder = dataFolder(dataDir).control;
  const secretKeyFile = join(folder, 'secret-key');
  const config = readConfig({ 'data-dir': dataDir }, { TRACKSIDE_SECRET_KEY_FILE: secretKeyFile });
  const name = join(dataDir, 'place');
  const { control } = await openTestControl(t, { folder });
  const [startedAt, finishedAt] = [Date.parse(now) - 60_000, Date.parse(now) - 30_000];
  await control.backupPlaces.begin(name, startedAt);
  await control.backupPlaces.finish(name, { finishedAt, records: 1, bytes: 1 });
  const look = async () => (await checkBackup(inputOf(config)))[0]!;
  assert.match(
    (await look()).says,
    /^0 hours ago in .*, but it cannot be used now: The backups in .* are gone/,
  );
  const place = openPlace(name, config);
  await markPlace(place, await control.installation());
  assert.match((await look()).says, /, but it cannot be used now: .* has no backups anymore\.$/);
  await place.write('backups/2026-03-10T08-59-00Z.json', Buffer.from('a backup'));
  assert.deepEqual([(await look()).state, (await look()).todo], ['ok', undefined]);
  await control.close();
});

test('backup: counts the erasures that a restore would not repeat', async (t) => {
  const { dataDir } = await configOf(t);
  const folder = dataFolder(dataDir).control;
  const config = readConfig(
    { 'data-dir': dataDir },
    { TRACKSIDE_SECRET_KEY_FILE: join(folder, 'secret-key') },
  );
  const place = join(dataDir, 'place');
  const { control } = await openTestControl(t, { folder });
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const [startedAt, finishedAt] = [Date.parse(now) - 60_000, Date.parse(now) - 30_000];
  await control.backupPlaces.begin(place, startedAt);
  await control.backupPlaces.finish(place, { finishedAt, records: 1, bytes: 1 });
  await control.erasures.add(1, '7');
  const says = async () => (await checkBackup(inputOf(config)))[1]?.says ?? '';
  assert.match(
    await says(),
    /^cannot tell whether 1 erasure is noted in .* are gone\. Is its disk mounted\?/,
  );
  await markPlace(openPlace(place, config), await control.installation());
  assert.match(
    await says(),
    /^1 erasure is not noted in .*, so a restore from there brings the records back$/,
  );
  const outside = { ...config, clickhouseUrl: 'http://store.test:8123' };
  const [unnoted, ...others] = await checkBackup(inputOf(outside));
  assert.match(unnoted?.says ?? '', /^1 erasure is not noted/, 'a backup from before a move');
  assert.deepEqual(others, []);
  await control.close();
});

test('control: names the websites that an older database lacks', async (t) => {
  const { dataDir } = await configOf(t);
  const folder = dataFolder(dataDir).control;
  const key = { TRACKSIDE_SECRET_KEY_FILE: join(folder, 'secret-key') };
  const { control } = await openTestControl(t, { folder });
  await control.websites.lose(2);
  await control.close();
  const findings = await checkControl(inputOf(readConfig({ 'data-dir': dataDir }, key)));
  const lost = findings.find(({ state }) => state === 'warning');
  assert.match(lost?.says ?? '', /lacks the websites with these IDs: 1, 2$/);
  assert.match(lost?.todo ?? '', /trackside website add DOMAIN --lost-id ID$/);
});
