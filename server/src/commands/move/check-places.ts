import { existsSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { secrets } from '../../config/secrets.ts';
import { checkSecretKey } from '../../control/move/copy-control.ts';
import { type ControlPlace, type PeekedControl, peekControl } from '../../control/move/peek-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { readMark } from '../../files/mark-file.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import { CommandError, type CommandInput } from '../command.ts';

const endedWithinMs = 3_000;
const lookAgainMs = 200;

export type MovePlaces = {
  isBack: boolean;
  from: ControlPlace;
  to: ControlPlace;
  /** Whether control is there already, so that only the last steps of the move are left. */
  isControlMoved: boolean;
};

/**
 * Finds out which control database is moved, and refuses what must not be touched. A source that was left
 * behind is refused above all: records that are new at the target would be removed there as surplus.
 */
export async function checkPlaces(input: CommandInput): Promise<MovePlaces> {
  const { config, flags } = input;
  const isBack = flags.back === true;
  const folder = dataFolder(config.dataDir);
  if (config.databaseUrl === undefined || config.clickhouseUrl === undefined)
    throw new CommandError(
      `Set ${secrets.databaseUrl.variable} and ${secrets.clickhouseUrl.variable}, which say where PostgreSQL ` +
        'and ClickHouse are. The server does not need them until the move is finished.',
    );
  refuseOtherOwner(config.dataDir);
  const inFolder: ControlPlace = { folder: folder.control };
  const outside: ControlPlace = { folder: folder.control, databaseUrl: config.databaseUrl };
  const [from, to] = isBack ? [outside, inFolder] : [inFolder, outside];
  const [source, target] = [await peekControl(from), await peekControl(to)];
  const names = { folder: config.dataDir, database: 'the database in TRACKSIDE_DATABASE_URL' };
  const [sourceName, targetName] = isBack ? [names.database, names.folder] : [names.folder, names.database];
  if (source.installation === undefined)
    throw new CommandError(`There is nothing to move: ${sourceName} holds no installation.`);
  await checkSecretKey(config.secretKeyFile, source);
  await refuseOtherFolder(folder.installation, source, config.dataDir);
  const isSame = target.installation === source.installation;
  const isControlMoved = isSame && source.movedTo !== null && target.movedTo === null;
  if (!isControlMoved && target.installation !== undefined && !(isSame && target.movedTo !== null)) {
    const whose = isSame ? 'a copy of this installation that may be in use' : 'another installation';
    throw new CommandError(`${capitalized(targetName)} already holds ${whose}. Choose one that is empty.`);
  }
  if (!isControlMoved && source.movedTo !== null && flags.finish !== true)
    throw new CommandError(
      `The installation was closed to be moved to ${source.movedTo}, but the move was interrupted. ` +
        'Run `trackside move --finish` to complete it.',
    );
  if (!isBack && !isControlMoved && existsSync(folder.outsideStore))
    throw new CommandError(
      `The records of ${config.dataDir} are no longer in the data folder: ${folder.outsideStore} says where ` +
        'they are. Only an installation whose records and control database are both in it can be moved.',
    );
  if (flags.finish === true && isBack) await refuseRunning(from, source.others);
  await refuseOtherNodes(input, { isBack, source });
  return { isBack, from, to, isControlMoved };
}

/** Files that root makes in a folder of another user would keep the server from starting. */
function refuseOtherOwner(dataDir: string): void {
  const uid = process.getuid?.() ?? -1;
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? uid;
  if (uid < 0 || owner === uid) return;
  throw new CommandError(
    `${dataDir} belongs to the user with the ID ${owner}, but this process runs as the user with the ` +
      `ID ${uid}. Run the command as the owner.`,
  );
}

async function refuseOtherFolder(file: string, source: PeekedControl, dataDir: string): Promise<void> {
  const marked = await readMark(file);
  if (marked === undefined || marked === source.installation) return;
  throw new CommandError(
    `${dataDir} belongs to another installation than the database. Choose another --data-dir.`,
  );
}

/**
 * Only PostgreSQL can tell who else is connected. For the data folder, its lock does. A server that has just
 * ended may be connected for another moment.
 */
async function refuseRunning(from: ControlPlace, connected: number): Promise<void> {
  let others = connected;
  const untilMs = performance.now() + endedWithinMs;
  while (others > 0 && performance.now() < untilMs) {
    await delay(lookAgainMs);
    others = (await peekControl(from)).others;
  }
  if (others === 0) return;
  throw new CommandError(
    `Servers or commands are still using the database (${others === 1 ? '1 connection' : `${others} connections`}). ` +
      'Stop all servers, then run the command again.',
  );
}

/** What only the journal of another server has could not be loaded anymore once its database is closed. */
async function refuseOtherNodes(
  { config, flags }: CommandInput,
  { isBack, source }: { isBack: boolean; source: PeekedControl },
): Promise<void> {
  // A database that is closed already can't be opened to load anything into the store.
  if (flags.finish !== true || !isBack || source.movedTo !== null) return;
  const own = (await readLedger(dataFolder(config.dataDir).journal))?.node;
  const others = source.waitedFor.filter((name) => name !== own);
  if (others.length === 0) return;
  throw new CommandError(
    `The journal of node ${others.join(', ')} may hold records that are not in the store, and that cannot be ` +
      'moved from there. Start each of these servers once more, wait until `waitingBytes` in /health is 0, and ' +
      'stop it with SIGTERM. For one that is gone for good, run `trackside node retire NAME`. Then run the ' +
      'command again.',
  );
}

const capitalized = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
