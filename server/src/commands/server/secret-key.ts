import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { nameOf } from '../../actions/actor.ts';
import { toInstallation } from '../../control/database/key-check.ts';
import { peekControl } from '../../control/move/peek-control.ts';
import { rotateSecretKey } from '../../control/rotate-secret-key.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { holdFolder } from '../../files/hold-folder.ts';
import { readMark } from '../../files/mark-file.ts';
import { openLog } from '../../node/open-log.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';

export const secretKeyCommands: Record<string, Command> = {
  'secret-key rotate': {
    usage: 'secret-key rotate [--new-key-file FILE]',
    help:
      'Encrypts everything in the control database with a new secret key, and puts the new key file in place ' +
      'of the old one.\n' +
      'Stop all servers of the database first. API keys, links and visitors stay the same. If it is ' +
      'interrupted, run it again,\n' +
      'or start the server: both continue with the key that fits. Backups from before need the old key, so ' +
      'keep a copy of it\nwith them, and make a new backup afterwards. With several servers, copy the new ' +
      'file to each of them before you start it.',
    words: { min: 0, max: 0 },
    flags: {
      'new-key-file': {
        type: 'string',
        help: 'the new key, created if missing; put it in place yourself (for mounted secrets)',
      },
    },
    isForAnyFolder: true,
    run: rotate,
  },
};

async function rotate(input: CommandInput): Promise<CommandOutput> {
  const { config, clock } = input;
  const folder = dataFolder(config.dataDir);
  const place = { folder: folder.control, databaseUrl: config.databaseUrl };
  const newKeyFile = readPath(input.flags['new-key-file'], config.secretKeyFile);
  await checkPlace(folder, place);
  await mkdir(folder.journal, { recursive: true, mode: 0o700 });
  const lock = holdFolder([folder.nodeLock, folder.journalLock], () => {});
  if (lock === undefined)
    throw new CommandError(
      `A server is running on ${config.dataDir}. Stop it, then run the command again: ` +
        'it has the old key in memory. Nothing was changed.',
    );
  try {
    input.progress('encrypting the control database with a new key …');
    const done = await rotateSecretKey({
      ...place,
      secretKeyFile: config.secretKeyFile,
      newKeyFile,
      entry: { actor: nameOf('command line'), action: 'secret-key.rotated', subject: 'secret key' },
      clock,
      log: openLog({ level: 'error', isTerminal: false, to: 'stderr' }),
    }).catch((error: unknown) => {
      throw newKeyFile === undefined && isDenied(error) ? cannotWrite(config.secretKeyFile) : error;
    });
    return describe(input, { ...done, newKeyFile });
  } finally {
    lock.release();
  }
}

/** Refuses a database that is missing or of another installation, before a key is made for it. */
async function checkPlace(
  folder: ReturnType<typeof dataFolder>,
  place: Parameters<typeof peekControl>[0],
): Promise<void> {
  const { keyCheck } = await peekControl(place);
  const where = place.databaseUrl === undefined ? folder.control : 'TRACKSIDE_DATABASE_URL';
  if (keyCheck === null)
    throw new CommandError(
      `There is no control database in ${where} yet, so there is nothing to encrypt. ` +
        'Check --data-dir and TRACKSIDE_DATABASE_URL.',
    );
  const expected = await readMark(folder.installation);
  if (expected === undefined || expected === toInstallation(keyCheck)) return;
  throw new CommandError(
    `The control database in ${where} belongs to a different installation than ${folder.root}. ` +
      'Check --data-dir and TRACKSIDE_DATABASE_URL.',
  );
}

function readPath(flag: string | boolean | undefined, secretKeyFile: string): string | undefined {
  if (typeof flag !== 'string') return undefined;
  const path = resolve(flag);
  if (path !== secretKeyFile) return path;
  throw new CommandError(`--new-key-file: expected another file than the current key, got ${flag}`);
}

function isDenied(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}

const cannotWrite = (secretKeyFile: string) =>
  new CommandError(
    `The new key can't be written beside ${secretKeyFile}. Run this as the owner of that file. If it is a ` +
      'mounted secret, pass --new-key-file FILE, and update the secret with that file afterwards.',
  );

function describe(
  { config }: CommandInput,
  done: { values: number; wasDone: boolean; newKeyFile: string | undefined },
): CommandOutput {
  const { values, wasDone, newKeyFile } = done;
  const file = newKeyFile ?? config.secretKeyFile;
  const count = `${values.toLocaleString('en-US')} ${values === 1 ? 'value' : 'values'}`;
  const lines = [
    wasDone
      ? `The control database is already encrypted with the key in ${file}.`
      : `The control database is now encrypted with the key in ${file} (${count}).`,
  ];
  if (newKeyFile !== undefined)
    lines.push(`Put this file in place of ${config.secretKeyFile}, on every server, then start them.`);
  else if (config.databaseUrl !== undefined)
    lines.push('Copy this file to all other servers of the database before you start them.');
  lines.push(
    'Keep a copy of it, separate from your backups, and make a new backup of control: ' +
      'earlier ones need the old key.',
  );
  return { json: { file, values, wasDone }, text: lines.join('\n') };
}
