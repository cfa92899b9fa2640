import type { Readable } from 'node:stream';
import { exportRecords } from '../../actions/export-records.ts';
import type { Config } from '../../config/config.ts';
import type { Website } from '../../control/websites/website-row.ts';
import { capital, readSystemFault } from '../../files/system-fault.ts';
import { type ExportFormat, exportFormats } from '../../store/export/export-format.ts';
import type { Store } from '../../store/open-store.ts';
import { isStorableDay } from '../../time/is-storable-day.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { hasWaitingRecords } from '../parts/has-waiting-records.ts';
import { nameControlFault, withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { inWords, type Sink, writeWholeFile } from '../terminal/write-whole-file.ts';
import { findWebsite } from '../website/find-website.ts';

type Wanted = {
  format: ExportFormat;
  from?: string | undefined;
  to?: string | undefined;
  visitorId?: string | undefined;
  isRaw?: boolean | undefined;
};
type Written = { records: number; bytes: number };
/** `isComplete` is false if accepted records are not in the store yet, and no server is there to load them. */
type Exported = Written & { isComplete: boolean };
/** Opens the records. Who gets them is in the audit log before the first one is written. */
export type NoteExport = (open: () => Promise<Readable>) => Promise<Readable>;
type Exporting = { website: Website; wanted: Wanted; note: NoteExport };
type Export = Exporting & {
  sink: Sink;
  /** Whether records that were written before a fault are kept. */
  isKept: boolean;
};

const incomplete =
  'The last records that were accepted are not in the store yet, so they are not in the export. ' +
  'Start the server, which loads them, then export again.';

export const exportCommand: Command = {
  usage: 'export WEBSITE --format csv|ndjson|parquet [--from DAY] [--to DAY] [--output FILE] [--raw]',
  help:
    "Exports a website's records, or those of a range of days, to a file or to standard output. " +
    "Bots' records are\n" +
    "included and marked. WEBSITE is an id or a domain. Days are in the website's timezone, " +
    'and both ends are included.\n' +
    'In CSV, a value that a spreadsheet would read as a formula gets an apostrophe, ' +
    'and line breaks become spaces; --raw\n' +
    'leaves every value as it was received.',
  words: { min: 1, max: 1 },
  flags: {
    format: { type: 'string', help: 'csv (with a header), ndjson (one JSON object per line) or parquet' },
    from: { type: 'string', help: 'the first day, such as 2026-01-31 (default: all)' },
    to: { type: 'string', help: 'the last day (default: all)' },
    output: { type: 'string', help: 'a file that does not exist yet (default: standard output)' },
    raw: {
      type: 'boolean',
      help: 'CSV with unchanged values, for programs; not safe to open in a spreadsheet',
    },
  },
  async run(input) {
    const wanted = readWanted(input.flags);
    const output = textOf(input.flags.output);
    if (output === undefined) refuseStdout(input.flags, wanted.format);
    return withControl(input, async (control) => {
      const website = await findWebsite(control, input.words[0]!);
      const note: NoteExport = (open) => exportRecords({ control, open }, 'command line', website, wanted);
      return output === undefined
        ? exportToStdout(input, { website, wanted, note })
        : exportToFile(input, { website, wanted, note }, output);
    });
  },
};

async function exportToStdout(input: CommandInput, what: Exporting): Promise<undefined> {
  // On a terminal, the records themselves show the progress.
  const quiet = process.stdout.isTTY ? { ...input, progress: () => {} } : input;
  const exported = await exportTo(quiet, { ...what, sink: stdoutSink(), isKept: true });
  input.progress(describe(what.website, exported, 'standard output'));
  assertComplete(exported);
}

/** After an export to standard output, only the exit code and the message can tell. */
export function assertComplete({ isComplete }: Exported): void {
  if (!isComplete) throw new CommandError(incomplete);
}

async function exportToFile(input: CommandInput, what: Exporting, output: string): Promise<CommandOutput> {
  const exported = await writeWholeFile(output, (sink) => exportTo(input, { ...what, sink, isKept: false }));
  const { id, domain } = what.website;
  const { format, from = null, to = null } = what.wanted;
  return {
    json: { website: { id, domain }, format, from, to, file: output, ...exported },
    ...tellCompleteness(describe(what.website, exported, output), exported),
  };
}

export function tellCompleteness(text: string, { isComplete }: Exported) {
  return isComplete ? { text } : { text: `${text}\n${incomplete}`, isFailure: true };
}

function readWanted(flags: CommandInput['flags']): Wanted {
  const format = exportFormats.find((name) => name === flags.format);
  if (format === undefined)
    throw new CommandError(`--format: expected csv, ndjson or parquet, got ${shown(flags.format)}.`);
  const [from, to] = [readDay(flags, 'from'), readDay(flags, 'to')];
  if (from !== undefined && to !== undefined && from > to)
    throw new CommandError(`--to: expected ${from} or a later day, got ${to}.`);
  if (flags.raw === true && format !== 'csv')
    throw new CommandError(
      `--raw: expected only with --format csv, got ${format}, whose values are never changed.`,
    );
  return { format, from, to, isRaw: flags.raw === true };
}

function readDay(flags: CommandInput['flags'], name: string): string | undefined {
  const text = textOf(flags[name]);
  if (text === undefined || isStorableDay(text)) return text;
  throw new CommandError(`--${name}: expected a day such as 2026-01-31, got ${shown(text)}.`);
}

function refuseStdout(flags: CommandInput['flags'], format: ExportFormat): void {
  if (flags.json === true)
    throw new CommandError(
      '--json prints a summary to standard output, where the records would go. ' +
        'Add --output FILE, or leave --json out.',
    );
  if (format === 'parquet' && process.stdout.isTTY)
    throw new CommandError(
      'A terminal cannot display Parquet. Add --output FILE, or pipe it to another program.',
    );
}

/**
 * Writes the records to the sink. Throws an error with a message for the operator unless all of them are
 * written.
 */
export async function exportTo(input: CommandInput, options: Export): Promise<Exported> {
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  // `on` instead of `once`, because Ctrl-C arrives twice under npm.
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await withStore(input, async (store, isServerRunning) => {
      // Before the export: what a server accepts from now on came later.
      const isComplete = isServerRunning || !(await hasWaitingRecords(input.config.dataDir));
      return { ...(await pour(store, options, input, interrupt.signal)), isComplete };
    });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

async function pour(
  store: Store,
  { website, wanted, note, sink, isKept }: Export,
  { config, progress }: CommandInput,
  signal: AbortSignal,
): Promise<Written> {
  let [records, bytes] = [0, 0];
  const onProgress = (at: { records: number; ofRecords: number }) => {
    records = at.records;
    progress(drawProgress(at), { isPassing: true });
  };
  try {
    const open = () => store.ofWebsite(website.id).exportRecords({ ...wanted, signal, onProgress });
    const source = await note(open);
    for await (const chunk of source) {
      await sink.write(chunk);
      bytes += chunk.length;
    }
    return { records, bytes };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { why, todo } = signal.aborted ? { why: 'interrupted', todo: '' } : explain(error, config);
    const rest = isKept ? 'The output is incomplete.' : 'Nothing was kept.';
    throw new CommandError(`The export stopped after ${counted(records)}: ${why}. ${rest}${todo}`, {
      cause: error,
    });
  }
}

/** Why an export stopped, and what to do about it if the machine is at fault. */
export function explain(error: unknown, config: Pick<Config, 'dataDir'>): { why: string; todo: string } {
  const fault = readSystemFault(nameControlFault(error, config));
  if (fault !== undefined) return { why: fault.says, todo: ` ${capital(fault.todo)}.` };
  return { why: error instanceof Error ? error.message : String(error), todo: '' };
}

export function stdoutSink(): Sink {
  // Each failed write reports its own error, below.
  process.stdout.on('error', () => {});
  return {
    write: (chunk) =>
      new Promise((resolve, reject) => {
        process.stdout.write(chunk, (error) => {
          if (error) reject(inWords('standard output', error));
          else resolve();
        });
      }),
  };
}

function drawProgress({ records, ofRecords }: { records: number; ofRecords: number }): string {
  // Records that arrive during the export can push the count past the total.
  const percent = ofRecords === 0 ? 100 : Math.min(100, Math.floor((records / ofRecords) * 100));
  return `${records.toLocaleString('en-US')} of ${counted(ofRecords)}, ${percent}%`;
}

function describe({ domain }: Website, { records, bytes }: Written, where: string): string {
  const size = bytes < 1e6 ? `${bytes.toLocaleString('en-US')} bytes` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `Exported ${counted(records)} of ${domain} to ${where} (${size}).`;
}

export const counted = (records: number) =>
  `${records.toLocaleString('en-US')} ${records === 1 ? 'record' : 'records'}`;

function textOf(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined;
}

function shown(flag: string | boolean | undefined): string {
  return typeof flag === 'string' ? JSON.stringify(flag) : 'nothing';
}
