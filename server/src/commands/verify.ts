import { existsSync } from 'node:fs';
import { watchDirectory } from '../control/watch-directory.ts';
import { dataFolder } from '../core/data-folder.ts';
import type { IsWanted } from '../core/wanted-row.ts';
import { listSegments, readSegmentHeader, segmentPath } from '../journal/segment-file.ts';
import { verifyBatches } from '../loader/verify-batches.ts';
import { openLog } from '../serve/open-log.ts';
import { type Command, CommandError, type CommandInput } from './command.ts';
import { withControl } from './with-control.ts';
import { withStore } from './with-store.ts';

export const verifyCommand: Command = {
  usage: 'verify',
  help:
    'Compares the store with the journal, batch by batch, and changes nothing. Exits with 1 when rows are missing or\n' +
    'too many; a running server mends that by itself at its next start, or within a minute. Records that were erased or\n' +
    'deleted, or have become too old, are not missed.',
  words: { min: 0, max: 0 },
  flags: {},
  async run(input) {
    const folder = dataFolder(input.config.dataDir).journal;
    await refuseNewerSegments(folder);
    const isWanted = await readWanted(input);
    const report = await withStore(input, (store) => verifyBatches({ folder, store, isWanted }));
    if (report === undefined) {
      return { json: { batches: 0, differences: [] }, text: 'There is no journal yet: nothing to compare.' };
    }
    const isFailure = report.differences.length > 0 || !report.isSameStore;
    const count = (n: number) => n.toLocaleString('en-US');
    const lines = [
      `Compared ${count(report.batches)} batches of ${count(report.rows)} records with the store.`,
    ];
    if (!report.isSameStore)
      lines.push('The store is another one than the journal was loaded into: start the server to load it.');
    for (const { batch, month, expected, found } of report.differences.slice(0, 20)) {
      lines.push(
        `batch ${batch}, ${month}: ${count(expected)} records in the journal, ${count(found)} in the store`,
      );
    }
    if (report.differences.length > 20) lines.push(`… and ${report.differences.length - 20} more`);
    if (!isFailure) lines.push('Every record is there exactly once.');
    return { json: report, text: lines.join('\n'), isFailure };
  },
};

/** Records that this version cannot read would otherwise pass for compared. */
async function refuseNewerSegments(folder: string): Promise<void> {
  for (const number of existsSync(folder) ? await listSegments(folder) : []) {
    const opened = await readSegmentHeader(folder, number);
    if ('why' in opened && opened.why.includes('newer version'))
      throw new CommandError(
        `${segmentPath(folder, number)}: ${opened.why}. Run verify with that version of Trackside.`,
      );
  }
}

/** What the server leaves out when it loads, as of now. */
async function readWanted(input: CommandInput): Promise<IsWanted> {
  const { clock } = input;
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  return await withControl(input, async (control) => {
    const directory = await watchDirectory({ control, clock, intervalMs: 60_000, settleMs: 0, log });
    directory.stop();
    return directory.isWanted;
  });
}
