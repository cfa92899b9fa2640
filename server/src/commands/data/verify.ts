import { existsSync } from 'node:fs';
import { openWebsiteCache } from '../../control/websites/website-cache.ts';
import { isForgotten, readDamage } from '../../damage/damage-log.ts';
import { damageOfWorker } from '../../damage/damage-of-worker.ts';
import { describeGap } from '../../damage/journal-gap.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { listWorkerFolders } from '../../files/worker-folders.ts';
import { listSegments, readSegmentHeader, segmentPath } from '../../journal/segment-file.ts';
import { openLog } from '../../node/open-log.ts';
import type { IsWanted } from '../../records/wanted-row.ts';
import type { Store } from '../../store/open-store.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { describeMissingJournal, isJournalMissing } from '../parts/is-journal-missing.ts';
import { type VerifiedJournals, verifyJournals } from '../parts/verify-journals.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';

const patienceMs = 5000;

export const verifyCommand: Command = {
  usage: 'verify',
  help:
    'Looks up every record of the journal in the store and checks the files of both. ' +
    'Changes nothing. Exits with 1 if\nrecords are missing or duplicated, or if something is damaged. ' +
    'The server repairs what it can when it starts.\n' +
    'Records that were erased, deleted, or removed because of their age do not count as missing.',
  words: { min: 0, max: 0 },
  flags: {},
  async run(input) {
    const folder = dataFolder(input.config.dataDir);
    const journals = await listWorkerFolders(input.config.dataDir);
    for (const { journal } of journals) await refuseNewerSegments(journal);
    const isWanted = await readWanted(input);
    if (await isJournalMissing(input)) {
      const { says, todo } = describeMissingJournal(folder.journal);
      throw new CommandError(`There is nothing to compare: ${says}. What to do: ${todo}.`);
    }
    const isOutside = input.config.clickhouseUrl !== undefined;
    const { report, damagedParts } = await withStore(input, async (store) => {
      // The files of an outside store are for those who run it to check.
      const damagedParts = isOutside ? [] : await checkParts(store, input);
      const compared = { store, isWanted, patienceMs, isShared: isOutside };
      const report = await verifyJournals(journals, compared).catch((error: unknown) => {
        if (damagedParts.length === 0) throw error;
        return undefined;
      });
      return { report, damagedParts };
    });
    const damage = await readDamage(folder.damage);
    const gaps = (report?.gaps ?? [])
      .map(({ worker = 1, ...gap }) => damageOfWorker(worker, describeGap(gap, true)))
      .filter(({ id }) => !isForgotten(folder.damage, id) && !damage.some((known) => known.id === id));
    const isDamaged = damagedParts.length + gaps.length + damage.length > 0;
    if (report === undefined && !isDamaged) {
      return { json: { batches: 0, differences: [] }, text: 'There is no journal yet: nothing to compare.' };
    }
    const isDifferent =
      report !== undefined &&
      (report.differences.length > 0 || report.waitingRows > 0 || !report.isSameStore);
    const isFailure = isDifferent || isDamaged;
    const lines = report === undefined ? ['The records could not be compared.'] : describe(report);
    for (const { table, name, fault } of damagedParts)
      lines.push(`part ${name} of the table ${table} is damaged: ${fault.slice(0, 200)}`);
    for (const { id, says, todo } of [...gaps, ...damage]) lines.push(`${id}: ${says}\n  → ${todo}`);
    if (isOutside) lines.push('The files of the store were not checked, because others run it.');
    if (!isDifferent && report !== undefined) {
      const which = report.unwantedRows === 0 ? 'Every' : 'Every other';
      lines.push(`${which} record of the journal is in the store exactly once.`);
    }
    const json = { batches: 0, differences: [], ...report, damagedParts, damage };
    return { json, text: lines.join('\n'), isFailure };
  },
};

/** Refuses segments that this version cannot read. Otherwise, their records would count as checked. */
async function refuseNewerSegments(folder: string): Promise<void> {
  for (const number of existsSync(folder) ? await listSegments(folder) : []) {
    const opened = await readSegmentHeader(folder, number);
    if (opened.kind === 'newer')
      throw new CommandError(
        `${segmentPath(folder, number)}: ${opened.why}. Run verify with that version of Trackside.`,
      );
  }
}

function describe(report: VerifiedJournals): string[] {
  const count = (n: number) => n.toLocaleString('en-US');
  const counted = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
  const lines = [
    `Compared the journal with the store: ${counted(report.rows, 'record')} ` +
      `in ${counted(report.batches, 'batch', 'batches')}.`,
  ];
  if (report.unwantedRows > 0)
    lines.push(
      `${counted(report.unwantedRows, 'record')} of the journal ${report.unwantedRows === 1 ? 'was' : 'were'} ` +
        'erased, deleted, or removed because of age.',
    );
  if (report.waitingRows > 0)
    lines.push(
      `${counted(report.waitingRows, 'record')} of the journal ${report.waitingRows === 1 ? 'is' : 'are'} ` +
        'not in the store yet. A running server loads them; if none is running, start it. Then verify again.',
    );
  if (!report.isSameStore)
    lines.push(
      'This is not the store that the journal was loaded into. Start the server to load the journal into it.',
    );
  for (const { worker, batch, month, expected, missing, surplus } of report.differences.slice(0, 20)) {
    const faults = [
      missing > 0 ? `${count(missing)} missing from the store` : '',
      surplus > 0 ? `${count(surplus)} too many in the store` : '',
    ].filter((fault) => fault !== '');
    const of = worker === undefined ? '' : `worker ${worker}, `;
    lines.push(`${of}batch ${batch}, ${month}: ${counted(expected, 'record')} loaded, ${faults.join(', ')}`);
  }
  if (report.differences.length > 20) lines.push(`… and ${report.differences.length - 20} more`);
  return lines;
}

/** Reads every file of the store and compares it with its checksum. */
async function checkParts(store: Pick<Store, 'listParts' | 'checkPart'>, { progress }: CommandInput) {
  const parts = await store.listParts();
  const damaged: { table: string; name: string; fault: string }[] = [];
  for (const [index, { table, name }] of parts.entries()) {
    progress(`checking part ${index + 1} of ${parts.length} …`, { isPassing: true });
    const fault = await store.checkPart({ table, name });
    if (fault !== undefined) damaged.push({ table, name, fault });
  }
  return damaged;
}

/** Returns which records the server would load right now, and which it would leave out. */
async function readWanted(input: CommandInput): Promise<IsWanted> {
  const { clock } = input;
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  return await withControl(input, async (control) => {
    const websiteCache = await openWebsiteCache({ control, clock, intervalMs: 60_000, settleMs: 0, log });
    websiteCache.stop();
    return websiteCache.isWanted;
  });
}
