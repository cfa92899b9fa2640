import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder } from '../../files/data-folder.ts';
import { handOverFile } from '../../files/hand-over-file.ts';
import type { LedgerState } from '../../loader/ledger-state.ts';
import { readLedgers } from '../../loader/read-ledgers.ts';
import { replaceStore } from '../../loader/replace-store.ts';
import { countInJournals, onlyInStoreNow } from '../../loader/report-gone-store.ts';
import type { RepairAnswer } from '../../node/watch-repair-request.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { askOnlyInStore } from '../parts/ask-only-in-store.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import { isServerRunning } from '../server/is-server-running.ts';

const answerMs = 120_000;

export const repairCommand: Command = {
  usage: 'repair --yes',
  help:
    'Replaces a store that cannot be opened or read: ' +
    'renames its folder, and loads everything the journal still holds\n' +
    'into a new one. Nothing is deleted. Tells you how many records exist only in the old store. ' +
    'You can run it while the\n' +
    'server is running, which keeps accepting records; otherwise, ' +
    'the records are loaded when the server starts.',
  words: { min: 0, max: 0 },
  flags: { yes: { type: 'boolean', help: 'confirm the repair' } },
  writesBesideServer: true,
  async run(input) {
    const { config, flags, clock } = input;
    const outside = readOutsideStore(config);
    if (outside !== undefined) {
      throw new CommandError(
        `The store is at ${outside.hosts.urls.join(', ')}, so it is for those who run it to repair. ` +
          'What the journal still holds is loaded into whatever store the server finds there.',
      );
    }
    const folder = dataFolder(config.dataDir);
    const ledgers = await readLedgers(config.dataDir);
    const inJournal = countInJournals(ledgers);
    const onlyInOldStore = await findOnlyInStore(input, ledgers);
    const consequences = [
      `Records in the journal, which will be loaded again: ${inJournal.toLocaleString('en-US')}.`,
      existsSync(folder.store)
        ? describeOnlyInStore(onlyInOldStore)
        : `There is no store at ${folder.store}. If it was lost, put it back, or restore a backup.`,
    ];
    if (flags.yes !== true) {
      throw new CommandError(
        [
          ...consequences,
          'The old store will be kept next to the new one. To go ahead: trackside repair --yes',
        ].join('\n'),
      );
    }
    const isRunning = isServerRunning(config.dataDir);
    const aside = isRunning
      ? await askServer(input, folder.repairRequest)
      : await replaceStore(folder, clock.now());
    const next = isRunning
      ? 'The server is loading them now. `trackside verify` tells you when all of them are there.'
      : 'Start the server to load them.';
    return {
      json: { aside: aside ?? null, loadedAgain: inJournal, onlyInOldStore },
      text: [
        aside === undefined ? 'There was no store.' : `The old store is now ${aside}.`,
        ...consequences,
        next,
      ].join('\n'),
    };
  },
};

type OnlyInStore = LedgerState['forgotten'] & {
  /** When the rows were counted: by this command, when the server last started its engine, or never. */
  counted: 'now' | 'earlier' | 'never';
};

const nothingForgotten: LedgerState['forgotten'] = { rows: 0, batches: 0, lastReceivedAt: '' };

async function findOnlyInStore(input: CommandInput, ledgers: LedgerState[]): Promise<OnlyInStore> {
  const forgotten = ledgers.map((ledger) => ledger.forgotten).reduce(addForgotten, nothingForgotten);
  const now = await askOnlyInStore(input, ledgers);
  if (now !== undefined) return { ...forgotten, rows: now, counted: 'now' };
  const earlier = onlyInStoreNow(ledgers);
  return earlier === undefined
    ? { ...forgotten, counted: 'never' }
    : { ...forgotten, rows: earlier, counted: 'earlier' };
}

function describeOnlyInStore({ rows, lastReceivedAt, counted }: OnlyInStore): string {
  const count = rows === 0 ? 'no' : rows.toLocaleString('en-US');
  if (counted === 'now')
    return rows === 0
      ? 'No records exist only in the old store.'
      : `Records that exist only in the old store: ${count}.`;
  if (counted === 'earlier')
    return `The old store can't be opened. When it was last counted, ${count} records existed only there.`;
  return rows === 0
    ? "The old store can't be opened, so it is not known whether records exist only there."
    : `Older records that exist only in the old store: at least ${count}, received up to ${lastReceivedAt} UTC.`;
}

function addForgotten(one: LedgerState['forgotten'], other: LedgerState['forgotten']) {
  return {
    rows: one.rows + other.rows,
    batches: one.batches + other.batches,
    lastReceivedAt: [one.lastReceivedAt, other.lastReceivedAt].sort().at(-1)!,
  };
}

/**
 * Asks the running server to set the store aside, because only the server can keep the engine away from the
 * folder.
 */
async function askServer({ progress }: CommandInput, request: string): Promise<string | undefined> {
  const token = randomUUID();
  const done = `${request}.done`;
  await handOverFile(request, token);
  progress('Asking the running server to set the store aside …');
  const deadline = performance.now() + answerMs;
  while (performance.now() < deadline) {
    await delay(100);
    if (!existsSync(done)) continue;
    const answer: RepairAnswer = JSON.parse(await readFile(done, 'utf8'));
    if (answer.token !== token) continue;
    await unlink(done);
    if ('refusal' in answer) throw new CommandError(answer.refusal);
    return answer.aside ?? undefined;
  }
  await unlink(request).catch(() => {});
  throw new CommandError(
    'The server did not answer within two minutes. Stop it, then run the command again.',
  );
}
