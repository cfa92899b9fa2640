import type { BackupPlace } from '../../backup/backup-place.ts';
import { findNewest, findOlder } from '../../backup/choose-backup.ts';
import { type Manifest, readManifest } from '../../backup/manifest.ts';
import { namePlace, openPlace } from '../../backup/open-place.ts';
import { BrokenBackup } from '../../backup/piece.ts';
import { type Restored, restoreBackup } from '../../backup/restore-backup.ts';
import { dataFolder, ownKeyFile } from '../../files/data-folder.ts';
import { holdFolder } from '../../files/hold-folder.ts';
import { openLog } from '../../node/open-log.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { makeDataFolder } from '../parts/make-data-folder.ts';
import { withOwnEngine } from '../parts/with-store.ts';

export const restoreCommand: Command = {
  usage: 'restore PLACE [--at BACKUP] [--practice]',
  help:
    'Restores a backup into an empty data folder. PLACE is a folder or s3://bucket/prefix that `trackside ' +
    'backup` has written\n' +
    'to. Put your copy of secret.key into the folder first, or name it with --secret-key-file. People who were ' +
    'erased since\n' +
    'the backup are erased again when the server starts. If it is interrupted, run it again.',
  words: { min: 1, max: 1 },
  flags: {
    at: { type: 'string', help: 'which backup, such as 2026-11-17T03-45-50Z (default: the newest)' },
    practice: {
      type: 'boolean',
      help: 'restore a copy beside the real server: it notes no erasures in PLACE, and cannot back up to it',
    },
  },
  isForAnyFolder: true,
  async run(input) {
    const { config } = input;
    if (config.databaseUrl !== undefined || config.clickhouseUrl !== undefined)
      throw new CommandError(
        'This command restores a data folder. Unset TRACKSIDE_DATABASE_URL and TRACKSIDE_CLICKHOUSE_URL; ' +
          'afterwards, `trackside move` can take the installation there.',
      );
    const place = openPlace(namePlace(input.words[0]!), config);
    const { name, damaged } = await choose(place, input.flags.at);
    const { manifest, erasures } = await restoreNamed(input, place, name).catch(async (error: unknown) => {
      throw error instanceof BrokenBackup ? await adviseOlder(input, place, { name, error }) : error;
    });
    const { records } = manifest;
    const lines = [
      `Restored ${count(records)} ${records === 1 ? 'record' : 'records'} of ${name} ` +
        `into ${config.dataDir}. Start the server; one that is already waiting for the restore starts automatically. ` +
        'Statistics are computed as they are asked for.',
      'Visitors of today are counted a second time if they come again, because salts are not in a backup.',
      'API keys and read tokens are those of the backup: revoke again what was revoked since.',
    ];
    if (input.flags.practice !== true)
      lines.push(
        `This server goes on with ${place.name}: it notes erasures there. If the real server still runs, ` +
          'restore with --practice instead.',
      );
    if (config.secretKeyFile !== ownKeyFile(config.dataDir))
      lines.push(
        `The server needs the same key: start it with --secret-key-file ${config.secretKeyFile} too, ` +
          'or with TRACKSIDE_SECRET_KEY_FILE.',
      );
    if (damaged.length > 0)
      lines.unshift(
        `Newer backups are damaged and were not used: ${damaged.join(', ')}. ` +
          `What came after ${name} is not restored.`,
      );
    if (erasures > 0)
      lines.push(
        `${count(erasures)} ${erasures === 1 ? 'erasure' : 'erasures'} since then will be repeated at the start.`,
      );
    const json = {
      place: place.name,
      backup: name,
      records,
      erasures,
      damaged,
      dataDir: config.dataDir,
    };
    return { json, text: lines.join('\n') };
  },
};

async function restoreNamed(
  input: CommandInput,
  place: BackupPlace,
  name: string,
): Promise<Restored & { manifest: Manifest }> {
  const manifest = await readManifest(place, name);
  return { manifest, ...(await restore(input, place, manifest)) };
}

/** Never goes on with an older backup by itself: by now, it may have loaded for hours. */
async function adviseOlder(
  { config }: CommandInput,
  place: BackupPlace,
  { name, error }: { name: string; error: BrokenBackup },
): Promise<CommandError> {
  const older = await findOlder(place, { name, without: error.path });
  const { dataDir, secretKeyFile } = config;
  const key = secretKeyFile === ownKeyFile(dataDir) ? '' : ` --secret-key-file ${secretKeyFile}`;
  const next =
    older === undefined
      ? 'No older backup can do without it.'
      : `To use the newest backup before it that doesn't need this file, run: ` +
        `trackside restore ${place.name} --at ${older} --data-dir ${dataDir}${key}`;
  return new CommandError(
    `${error.says} The backup ${name} can't be restored. ${next}\n` +
      `To see which backups are whole, run: trackside backup ${place.name} --verify`,
  );
}

/** No server can be started on the folder in the meantime. */
async function restore(input: CommandInput, place: BackupPlace, manifest: Manifest): Promise<Restored> {
  const { config, clock } = input;
  await makeDataFolder(config.dataDir);
  const lock = holdFolder([dataFolder(config.dataDir).nodeLock], () => {});
  if (lock === undefined)
    throw new CommandError(`A server is running on ${config.dataDir}. Restore into an empty folder.`);
  try {
    return await restoreBackup({
      ...config,
      place,
      manifest,
      isPractice: input.flags.practice === true,
      withStore: async (work) => {
        const done = await withOwnEngine(input, async (store) => {
          await work(store);
          return true;
        });
        if (done === undefined)
          throw new CommandError(
            'A server was started in the meantime. Stop it, then run the command again.',
          );
      },
      clock,
      log: openLog({ level: 'error', isTerminal: false, to: 'stderr' }),
      onProgress: ({ records, ofRecords }) =>
        input.progress(`${count(records)} of ${count(ofRecords)} records`, { isPassing: true }),
    });
  } finally {
    lock.release();
  }
}

/** Returns which newer ones are damaged, too. */
async function choose(
  place: BackupPlace,
  at: CommandInput['flags'][string],
): Promise<{ name: string; damaged: string[] }> {
  if (typeof at === 'string') return { name: at, damaged: [] };
  const { newest, damaged } = await findNewest(place);
  if (newest !== undefined) return { name: newest, damaged };
  throw new CommandError(
    damaged.length > 0
      ? `All backups in ${place.name} are damaged: ${damaged.join(', ')}. Use another place.`
      : `There is no backup in ${place.name}. A backup that was never finished can't be used.`,
  );
}

const count = (number: number) => number.toLocaleString('en-US');
