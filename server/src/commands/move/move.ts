import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { readPostgresUrl } from '../../control/database/read-postgres-url.ts';
import { copyControl, forgetSalts } from '../../control/move/copy-control.ts';
import { listDomains } from '../../control/move/list-domains.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { holdFolder } from '../../files/hold-folder.ts';
import { openLog } from '../../node/open-log.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { refuseOtherJournals, setStorePlace } from '../parts/mark-store-place.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import { checkPlaces, type MovePlaces } from './check-places.ts';
import { type ComparedRecords, compareSides } from './compare-sides.ts';
import { copyPatiently } from './copy-patiently.ts';
import { describeMove } from './describe-move.ts';
import type { MoveReport } from './move-report.ts';
import { planMove } from './plan-move.ts';

export const moveCommand: Command = {
  usage: 'move [--back] [--finish] [--dry-run]',
  help:
    'Moves an installation from the data folder to PostgreSQL and ClickHouse, or back with --back. ' +
    'TRACKSIDE_DATABASE_URL\n' +
    'and TRACKSIDE_CLICKHOUSE_URL say where they are. Copies the records while the server is running; ' +
    'you can stop and\n' +
    'repeat it at any time. Then stop the server and run it with --finish, which copies what is left and ' +
    'the control\n' +
    'database, compares both sides, and closes the old one. After that, start the server with the two ' +
    'variables, or\n' +
    'without them after --back. Exits with 1 if anything differs.',
  words: { min: 0, max: 0 },
  flags: {
    back: { type: 'boolean', help: 'move from PostgreSQL and ClickHouse into the data folder' },
    finish: { type: 'boolean', help: 'complete the move; no server may be running' },
    'dry-run': { type: 'boolean', help: 'show what would be copied, and change nothing' },
  },
  writesBesideServer: true,
  isForAnyFolder: true,
  async run(input) {
    const places = await checkPlaces(input);
    if (input.flags['dry-run'] === true) return await planMove(input, places);
    await mkdir(dataFolder(input.config.dataDir).journal, { recursive: true, mode: 0o700 });
    const report = input.flags.finish === true ? await finish(input, places) : await copy(input, places);
    return await toOutput(input, places, report);
  },
};

async function copy(input: CommandInput, places: MovePlaces): Promise<MoveReport> {
  if (places.isControlMoved) return alreadyMoved(places);
  const totals = await copyPatiently(input, places, { isHeld: false }, async () => {});
  return { ...alreadyMoved(places), ...totals, isFinished: false, wasFinished: false };
}

const alreadyMoved = ({ isBack }: MovePlaces): MoveReport => ({
  direction: isBack ? 'back' : 'out',
  isFinished: true,
  wasFinished: true,
  copied: 0,
  removedBatches: 0,
  records: null,
  control: null,
});

async function finish(input: CommandInput, places: MovePlaces): Promise<MoveReport> {
  const { config } = input;
  const folder = dataFolder(config.dataDir);
  const lock = holdFolder([folder.nodeLock, folder.journalLock], () => {});
  if (lock === undefined)
    throw new CommandError(
      `A server is running on ${config.dataDir}. Stop it, then run the command again. ` +
        'What it accepts until then is copied by --finish.',
    );
  try {
    await refuseOtherJournals(folder);
    let report = alreadyMoved(places);
    if (!places.isControlMoved) {
      let records: ComparedRecords | undefined;
      const totals = await copyPatiently(input, places, { isHeld: true }, async (sides) => {
        records = await compareSides(sides);
      });
      report = { ...report, ...totals, wasFinished: false, records: records! };
      if (records!.differences.length > 0) return { ...report, isFinished: false };
      report.control = await copyControl({
        ...places,
        ...surroundings(input),
        movedTo: nameTarget(input, places),
      });
    }
    await forgetSalts({ ...places.from, ...surroundings(input) });
    await setStorePlace(folder, places.isBack ? undefined : readOutsideStore(config));
    const isSame = report.control?.every(({ isSame }) => isSame) ?? true;
    return { ...report, isFinished: isSame };
  } finally {
    lock.release();
  }
}

const surroundings = ({ clock }: CommandInput) => ({
  clock,
  log: openLog({ level: 'error', isTerminal: false, to: 'stderr' }),
});

/** What the place that is left says about the new one. It holds no password. */
function nameTarget({ config }: CommandInput, { isBack }: MovePlaces): string {
  if (isBack) return `the data folder ${config.dataDir} on ${hostname()}`;
  return `PostgreSQL (${readPostgresUrl(config.databaseUrl!).name}) and ClickHouse`;
}

async function toOutput(input: CommandInput, places: MovePlaces, report: MoveReport): Promise<CommandOutput> {
  const domains = await listDomains({ ...places.from, ...surroundings(input) });
  const isDifferent =
    (report.records?.differences.length ?? 0) > 0 || report.control?.some(({ isSame }) => !isSame) === true;
  return { json: report, text: describeMove(report, domains), isFailure: isDifferent };
}
