import { watchDirectory } from '../control/watch-directory.ts';
import { dataFolder } from '../core/data-folder.ts';
import type { IsWanted } from '../core/wanted-row.ts';
import { verifyBatches } from '../loader/verify-batches.ts';
import { openLog } from '../serve/open-log.ts';
import type { Command, CommandInput } from './command.ts';
import { withControl } from './with-control.ts';
import { withStore } from './with-store.ts';

const patienceMs = 5000;

export const verifyCommand: Command = {
  usage: 'verify',
  help:
    'Looks up every record of the journal in the store, checks the files of both, and changes nothing. Exits with 1 when\n' +
    'records are missing or there more than once, or when something is damaged. A running server repairs what it can when\n' +
    'it starts. Records that were erased or deleted, or have become too old, are not missed.',
  words: { min: 0, max: 0 },
  flags: {},
  async run(input) {
    const folder = dataFolder(input.config.dataDir).journal;
    const isWanted = await readWanted(input);
    const report = await withStore(input, (store) => verifyBatches({ folder, store, isWanted, patienceMs }));
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
    for (const { batch, month, expected, missing, surplus } of report.differences.slice(0, 20)) {
      const faults = [
        missing > 0 ? `${count(missing)} missing from the store` : '',
        surplus > 0 ? `${count(surplus)} too many in the store` : '',
      ].filter((fault) => fault !== '');
      lines.push(`batch ${batch}, ${month}: ${count(expected)} records loaded, ${faults.join(', ')}`);
    }
    if (report.differences.length > 20) lines.push(`… and ${report.differences.length - 20} more`);
    if (!isFailure) lines.push('Every record is there exactly once.');
    return { json: report, text: lines.join('\n'), isFailure };
  },
};

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
