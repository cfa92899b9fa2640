import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { dataFolder } from '../../files/data-folder.ts';
import { type LedgerState, rowsOf } from '../../loader/ledger-state.ts';
import { readLedgers } from '../../loader/read-ledgers.ts';
import { replaceStore } from '../../loader/replace-store.ts';
import type { RepairAnswer } from '../../node/watch-repair-request.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
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
    const inJournal = ledgers
      .flatMap(({ batches }) => [...batches.values()])
      .reduce((sum, batch) => sum + rowsOf(batch), 0);
    const missing = ledgers.map(({ forgotten }) => forgotten).reduce(addForgotten, nothingForgotten);
    const consequences = [
      `Records in the journal, which will be loaded again: ${inJournal.toLocaleString('en-US')}.`,
      missing.rows === 0
        ? 'No records exist only in the old store.'
        : `Older records that exist only in the old store: ${missing.rows.toLocaleString('en-US')}, ` +
          `received up to ${missing.lastReceivedAt} UTC.`,
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
      json: { aside: aside ?? null, loadedAgain: inJournal, onlyInOldStore: missing },
      text: [
        aside === undefined ? 'There was no store.' : `The old store is now ${aside}.`,
        ...consequences,
        next,
      ].join('\n'),
    };
  },
};

const nothingForgotten: LedgerState['forgotten'] = { rows: 0, batches: 0, lastReceivedAt: '' };

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
  await writeFile(request, token, { mode: 0o600 });
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
