import { maxRows } from '@trackside/contract/stats/limits.ts';
import { SystemFaultError } from '../../files/system-fault.ts';
import { openLog } from '../../node/open-log.ts';
import { createStatistics } from '../../stats/create-statistics.ts';
import { createDayBuilder } from '../../stats/days/day-builder.ts';
import { DaysNotReady } from '../../stats/days/ready-days.ts';
import { QuestionError } from '../../stats/question/question-error.ts';
import { toCsv } from '../../stats/table/to-csv.ts';
import { toTable } from '../../stats/table/to-table.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { noteFaults } from '../parts/note-faults.ts';
import { withBuilds } from '../parts/with-builds.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { findWebsite } from '../website/find-website.ts';
import { readFilterText } from './read-filter-text.ts';

const recordsPerSlice = 200_000;
/** Nobody else waits for a command, and without the answer it would only be run again. */
const patienceMs = 600_000;
const totals = ['visitors', 'visits', 'pageViews', 'events', 'viewsPerVisit', 'bounceRate', 'visitDuration'];

export const statsCommand: Command = {
  usage:
    'stats WEBSITE [--period 30d] [--by DIMENSION,…] [--interval day] [--filter "country=DE&page~/blog"]',
  help:
    'Shows the visitors, visits, page views and events of a website, in its own timezone. ' +
    'Bots are counted separately.\n' +
    'A period is today, yesterday, thisWeek, thisMonth, lastMonth, thisYear, all, ' +
    'a number of days ending today such as\n' +
    '30d (the default), or a range of days such as 2026-03-01..2026-03-31. Join filters with &: ' +
    'is (country=DE),\n' +
    'is not (country!=DE), contains (page~/blog), any of (country=DE|FR). ' +
    'docs/statistics.md defines every number.',
  words: { min: 1, max: 1 },
  flags: {
    period: { type: 'string', help: 'which days (default: 30d)' },
    by: { type: 'string', help: 'dimensions to break down by, such as page, source or country' },
    interval: { type: 'string', help: 'a time series by minute, hour, day, week or month' },
    metrics: { type: 'string', help: `such as visitors,pageViews (default: ${totals.join(',')})` },
    filter: { type: 'string', help: 'filters, such as "country=DE&page~/blog"' },
    goal: { type: 'string', help: 'the event for the metric conversionRate' },
    compare: { type: 'string', help: 'previousPeriod or previousYear' },
    limit: {
      type: 'string',
      help: 'maximum number of rows (default: 20, or 10000 with --csv); a time series is always complete',
    },
    csv: { type: 'boolean', help: 'print the rows as CSV' },
  },
  async run(input) {
    const { website, goals } = await withControl(input, async (control) => {
      const found = await findWebsite(control, input.words[0]!);
      return { website: found, goals: await control.goals.list(found.id) };
    });
    const question = readFlags(input);
    return await withStore(input, (store) =>
      withBuilds(input, store, { use: 'asking' }, async (builds) => {
        const noting = noteFaults(openLog({ level: 'error', isTerminal: false, to: 'stderr' }));
        const { log } = noting;
        const { clock } = input;
        const rulesOf = () => website;
        const { completeUpToMs } = builds;
        const options = { clock, log, recordsPerSlice, sharedMs: 0, patienceMs, rulesOf };
        const days = createDayBuilder({ ...builds, ...options });
        const saved = { goalsOf: async () => goals, findSegment: async () => undefined };
        const statistics = createStatistics({ store, clock, completeUpToMs, days, saved });
        try {
          const answer = await statistics.query(website, question);
          const { rows: bots } = await statistics.bots(website, { period: question.period, dimensions: [] });
          const fault = noting.firstFault();
          if (fault !== undefined) throw new SystemFaultError(fault);
          const botRecords = bots[0]?.records ?? 0;
          if (input.flags.csv === true) {
            const { rows, totalRows } = answer;
            if (totalRows > rows.length) input.progress(`${rows.length} of ${totalRows} rows.`);
            return { json: answer, text: csvOf(answer, question) };
          }
          return show({ website: website.domain, timezone: website.timezone, ...answer, botRecords });
        } catch (error) {
          if (error instanceof QuestionError) throw new CommandError(error.message);
          if (error instanceof DaysNotReady)
            throw new CommandError(`${error.message}: try again in a moment`);
          throw error;
        } finally {
          await days.stop({ withinMs: 60_000 });
        }
      }),
    );
  },
};

function readFlags({ flags }: CommandInput): { period: unknown } & Record<string, unknown> {
  const text = (name: string) => (typeof flags[name] === 'string' ? flags[name] : undefined);
  const list = (name: string) =>
    text(name)
      ?.split(',')
      .map((part) => part.trim());
  const period = text('period') ?? '30d';
  const [from, to] = period.split('..');
  const isSeries = text('interval') !== undefined && text('by') === undefined;
  // A terminal shows the first rows of a list. A file gets all rows, and so does a series.
  const rows = flags.csv === true || isSeries ? maxRows : 20;
  return {
    period: to === undefined ? period : { from, to },
    metrics: list('metrics') ?? totals,
    dimensions: list('by') ?? [],
    ...(text('interval') !== undefined && { interval: text('interval') }),
    ...(text('filter') !== undefined && { filters: readFilterText(text('filter')!) }),
    ...(text('goal') !== undefined && { goal: text('goal') }),
    ...(text('compare') !== undefined && { compare: text('compare') }),
    limit: text('limit') === undefined ? rows : Number(text('limit')),
  };
}

type Answer = Awaited<ReturnType<ReturnType<typeof createStatistics>['query']>> & {
  website: string;
  timezone: string;
  botRecords: number;
};

const visitorNotes = {
  distinct: '',
  daily:
    '\n\nVisitors: the sum of the daily numbers. ' +
    'Visitors without a ClientId are not recognized on another day.',
  mixed: '\n\nVisitors: those with a ClientId count once; all others count once on each day they visit.',
} as const;

function show(answer: Answer): CommandOutput {
  const { website, timezone, period, asOf, rows, totalRows, botRecords, visitorsAre = 'distinct' } = answer;
  const heading = `${website}, ${period.from} to ${period.to} (${timezone}), as of ${asOf}`;
  const note = visitorNotes[visitorsAre];
  const [first] = rows;
  const isOneRow =
    first !== undefined && first.time === undefined && Object.keys(first.dimensions).length === 0;
  if (isOneRow) {
    // A script that needs a single number can read it without searching the rows.
    const json = { ...answer, ...first.metrics };
    const before = first.comparison ?? undefined;
    const lines = Object.entries(first.metrics).map(([name, value]) => [
      label(name),
      showNumber(name, value),
      ...(before === undefined ? [] : [`before: ${showNumber(name, before[name as keyof typeof before])}`]),
    ]);
    lines.push(['bot records', botRecords.toLocaleString('en-US')]);
    return { json, text: `${heading}\n\n${alignColumns(lines)}${note}` };
  }
  if (first === undefined) return { json: answer, text: `${heading}\n\nNo data for this period.` };
  const header = [
    ...(first.time === undefined ? [] : ['time']),
    ...Object.keys(first.dimensions),
    ...Object.keys(first.metrics).map(label),
  ];
  const lines = rows.map((row) => [
    ...(row.time === undefined ? [] : [row.time]),
    ...Object.values(row.dimensions).map((value) => value || '(none)'),
    ...Object.entries(row.metrics).map(([name, value]) => showNumber(name, value)),
  ]);
  const more =
    totalRows > rows.length ? `\n\nShowing ${rows.length} of ${totalRows} rows; --limit shows more.` : '';
  return { json: answer, text: `${heading}\n\n${alignColumns([header, ...lines])}${more}${note}` };
}

function csvOf(answer: Pick<Answer, 'rows'>, question: object): string {
  const { header, rows } = toTable(answer, question);
  return toCsv(header, rows).trimEnd();
}

const label = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function showNumber(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (name.endsWith('Rate')) return `${(100 * value).toFixed(1)}%`;
  if (name === 'visitDuration') return `${Math.round(value)} s`;
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
