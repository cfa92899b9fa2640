import { existsSync } from 'node:fs';
import type { BackupPlace } from '../../backup/backup-place.ts';
import { holdWorkFolder } from '../../backup/hold-work-folder.ts';
import { makeBackup } from '../../backup/make-backup.ts';
import { listManifests, nameOf, readIfWhole } from '../../backup/manifest.ts';
import { namePlace, openPlace } from '../../backup/open-place.ts';
import { isMarked, preparePlace } from '../../backup/place-mark.ts';
import { verifyBackups } from '../../backup/verify-backup.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { openLog } from '../../node/open-log.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { refuseNoInstallation } from '../parts/refuse-no-installation.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { showBytes } from '../server/doctor/finding.ts';
import { refuseDataFolder } from './refuse-data-folder.ts';

const defaultKeep = 7;

export const backupCommand: Command = {
  usage: 'backup PLACE [--keep N] [--include-secret-key] | backup PLACE --list | --verify | --forget',
  help:
    'Backs up the websites, users, settings and records to a folder or to s3://bucket/prefix, while the server ' +
    'is running or\n' +
    'stopped. A second backup in the same place saves only what has changed. Salts and sessions are left out, ' +
    'and so is\n' +
    'secret.key: keep a copy of that file elsewhere. From then on, the server also notes erasures in the place, ' +
    'so that\n' +
    '`trackside restore` erases those people again. For a bucket, set TRACKSIDE_S3_ACCESS_KEY_ID and\n' +
    'TRACKSIDE_S3_SECRET_ACCESS_KEY, and TRACKSIDE_S3_ENDPOINT and TRACKSIDE_S3_REGION if it is not Amazon’s.',
  words: { min: 1, max: 1 },
  flags: {
    keep: {
      type: 'string',
      help: `how many backups the place keeps (default: ${defaultKeep}); all of them while damage is known`,
    },
    'include-secret-key': { type: 'boolean', help: 'save secret.key too; then the place must be as secret' },
    list: { type: 'boolean', help: 'list the backups in the place, and make none' },
    verify: { type: 'boolean', help: 'read all backups in the place and check them, and make none' },
    forget: { type: 'boolean', help: 'stop noting erasures in the place, for a place that is gone' },
  },
  writesBesideServer: true,
  isForAnyFolder: true,
  async run(input) {
    const name = namePlace(input.words[0]!);
    refuseSeveral(input);
    if (input.flags.forget === true) return await forget(input, name);
    const place = openPlace(name, input.config);
    if (input.flags.list === true) return await list(place);
    if (input.flags.verify === true) return await verify(input, place);
    return await make(input, place);
  },
};

/** Each of these does something else, and nobody wants only the first one without a word. */
function refuseSeveral({ flags }: CommandInput): void {
  const given = ['list', 'verify', 'forget'].filter((flag) => flags[flag] === true);
  if (given.length < 2) return;
  throw new CommandError(`Choose one of ${given.map((flag) => `--${flag}`).join(' and ')}.`);
}

async function make(input: CommandInput, place: BackupPlace): Promise<CommandOutput> {
  const { config, clock } = input;
  refuseOutside(input);
  await refuseNoInstallation(config, 'There is nothing to back up');
  refuseDataFolder(place, config.dataDir);
  const keep = readKeep(input.flags.keep);
  const { name, manifest, newRecords, newBytes, removed, damaged, losses } = await withControl(
    input,
    async (control) => {
      // A folder that is refused doesn't get a lock either.
      await preparePlace(place, control, { isPractice: existsSync(dataFolder(config.dataDir).practice) });
      return await withLocks(input, place, (workFolder) =>
        withStore(input, (store) =>
          makeBackup({
            ...config,
            place,
            workFolder,
            control,
            store,
            keep,
            hasSecretKey: input.flags['include-secret-key'] === true,
            clock,
            log: openLog({ level: 'error', isTerminal: false, to: 'stderr' }),
            onProgress: ({ records, ofRecords }) =>
              input.progress(`${count(records)} of ${count(ofRecords)} records`, { isPassing: true }),
          }),
        ),
      );
    },
  );
  const { startedAt, finishedAt, journals, records, bytes, secretKey } = manifest;
  const lines = [
    `Backed up ${count(records)} ${records === 1 ? 'record' : 'records'} to ${place.name}: ` +
      `${count(newRecords)} new, ${showBytes(newBytes)} written, ${showBytes(bytes)} in all.`,
  ];
  if (journals.some(({ segments }) => segments.length > 0))
    lines.push('The latest records are in the journal, which was backed up too. They are not counted here.');
  if (removed.backups > 0) lines.push(`Removed ${removed.backups} of the older backups.`);
  if (losses.length > 0 && (await listManifests(place)).length > keep)
    lines.push(
      `All older backups are kept, although --keep is ${keep}, because they may have what is lost here ` +
        `(${losses.slice(0, 5).join(', ')}). Start the server, and see what \`trackside doctor\` says about it.`,
    );
  if (name !== nameOf(startedAt))
    lines.push(
      `The newest backup so far is dated later than the clock says, so this one is named ${name} to follow it. ` +
        'Check the clock.',
    );
  for (const other of damaged)
    lines.push(
      `The backup ${other} is damaged. Delete backups/${other}.json in ${place.name}; ` +
        'until then, files that no backup needs are not removed.',
    );
  if (secretKey === null)
    lines.push(`${config.secretKeyFile} is not in it: keep a copy of that file in another place.`);
  return {
    json: {
      place: place.name,
      backup: name,
      startedAt,
      finishedAt,
      records,
      newRecords,
      bytes,
      newBytes,
      removed,
      damaged,
      losses,
    },
    text: lines.join('\n'),
  };
}

async function withLocks<T>(
  { config }: CommandInput,
  place: BackupPlace,
  work: (workFolder: string) => Promise<T>,
): Promise<T> {
  const folder = holdWorkFolder(config.dataDir, place);
  const lock = folder && place.lock();
  try {
    if (folder === undefined || lock === undefined)
      throw new CommandError(`Another backup to ${place.name} is being made. Wait for it to end.`);
    return await work(folder.path);
  } finally {
    lock?.release();
    folder?.release();
  }
}

function refuseOutside({ config }: CommandInput): void {
  if (config.databaseUrl === undefined && config.clickhouseUrl === undefined) return;
  throw new CommandError(
    'This command backs up a data folder, but the control database or the store is elsewhere. ' +
      'Use the tools of PostgreSQL and ClickHouse: docs/operating.md, "Backups".',
  );
}

function readKeep(given: string | boolean | undefined): number {
  if (given === undefined) return defaultKeep;
  const number = typeof given === 'string' && /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (number >= 1) return number;
  throw new CommandError(`--keep: expected a whole number from 1 to 9999, got "${given}".`);
}

async function list(place: BackupPlace): Promise<CommandOutput> {
  const backups: object[] = [];
  const lines: string[] = [];
  for (const name of await listManifests(place)) {
    const manifest = await readIfWhole(place, name);
    if (manifest === undefined) {
      backups.push({ backup: name, isDamaged: true });
      lines.push(`${name}  damaged`);
      continue;
    }
    const { startedAt, finishedAt, records, bytes, madeBy } = manifest;
    backups.push({ backup: name, startedAt, finishedAt, records, bytes, madeBy });
    lines.push(`${name}  ${count(records)} records, ${showBytes(bytes)}`);
  }
  if (lines.length === 0 && !(await isMarked(place)))
    throw new CommandError(
      `There is no backup in ${place.name}. Check the path, and that its disk is mounted.`,
    );
  const text = lines.length === 0 ? `There is no backup in ${place.name}.` : lines.join('\n');
  return { json: { place: place.name, backups }, text };
}

async function verify(input: CommandInput, place: BackupPlace): Promise<CommandOutput> {
  const found = await verifyBackups(place, ({ bytes, ofBytes }) =>
    input.progress(`${showBytes(bytes)} of ${showBytes(ofBytes)} checked`, { isPassing: true }),
  );
  if (found.backups === 0) throw new CommandError(`There is no backup in ${place.name}.`);
  const lines = found.broken.map(({ says, backups }) =>
    backups.length === 0 ? says : `${says} Backups that need it: ${backups.join(', ')}.`,
  );
  if (lines.length > 0)
    lines.push(
      'Delete damaged files, then back up again while the server still has the data. ' +
        'Otherwise, later backups rely on them too.',
    );
  else
    lines.push(
      `Checked ${found.backups} ${found.backups === 1 ? 'backup' : 'backups'}: ` +
        `all ${count(found.files)} files are as they were written (${showBytes(found.bytes)}).`,
    );
  return { json: found, text: lines.join('\n'), isFailure: found.broken.length > 0 };
}

async function forget(input: CommandInput, place: string): Promise<CommandOutput> {
  await refuseNoInstallation(input.config);
  const isKnown = await withControl(input, (control) => control.backupPlaces.forget(place));
  if (!isKnown) throw new CommandError(`There has been no backup to ${place}.`);
  return { json: { place }, text: `Erasures are no longer noted in ${place}. Its backups are still there.` };
}

const count = (number: number) => number.toLocaleString('en-US');
