import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { Table } from './to-table.ts';

/** The answers of the reports as rows and columns for spreadsheets. */

type Report<Kind extends keyof Answers> = Omit<WithoutAbout<Answers[Kind]>, 'period'>;

/** One row for each minute, the oldest first. */
export function liveTable({ minutes }: Report<'live'>): Table {
  return {
    header: ['minutesAgo', 'visitors', 'pageViews'],
    rows: minutes.map(({ minutesAgo, visitors, pageViews }) => [minutesAgo, visitors, pageViews]),
  };
}

/** One row for each combination of the dimensions that were asked for. */
export function botsTable({ rows }: Report<'bots'>, asked: { dimensions?: unknown }): Table {
  const names = (asked.dimensions ?? ['bot']) as string[];
  return {
    header: [...names, 'records', 'days', 'lastAt'],
    rows: rows.map(({ dimensions, records, days, lastAt }) => [
      ...names.map((name) => dimensions[name] ?? ''),
      records,
      days,
      lastAt,
    ]),
  };
}

/** One row for each step. A step is a page or an event, so one of these columns is empty. */
export function funnelTable({ steps }: Report<'funnel'>): Table {
  return {
    header: [
      'step',
      'page',
      'event',
      'parameterName',
      'parameterValue',
      'visitors',
      'shareOfFirst',
      'shareOfPrevious',
    ],
    rows: steps.map(({ step, visitors, shareOfFirst, shareOfPrevious }, index) => [
      index + 1,
      ...('page' in step
        ? [step.page, '', '', '']
        : ['', step.event, step.parameter?.name ?? '', step.parameter?.value ?? '']),
      visitors,
      shareOfFirst,
      shareOfPrevious,
    ]),
  };
}

/** One row for each cohort, with a column for each week after its own. Future weeks are empty. */
export function retentionTable({ cohorts }: Report<'retention'>): Table {
  const weeksAfter = Array.from({ length: (cohorts[0]?.weeks.length ?? 1) - 1 }, (_, index) => index + 1);
  return {
    header: ['week', 'visitors', ...weeksAfter.map((week) => `week ${week}`)],
    rows: cohorts.map(({ week, visitors, weeks }) => [
      week,
      visitors,
      ...weeksAfter.map((after) => weeks[after] ?? null),
    ]),
  };
}

/**
 * One row for each page of each step. The first rows are about the page that was asked about: the visits with
 * it, and those that began or ended with it.
 */
export function pathsTable(paths: Report<'paths'>, { page }: { page?: unknown }): Table {
  const { visits, entries, exits, before, after } = paths;
  const asked = String(page);
  const around = (place: string, steps: Report<'paths'>['before']) =>
    steps.flatMap(({ step, pages }) => pages.map((one) => [place, step, one.page, one.visits]));
  return {
    header: ['place', 'step', 'page', 'visits'],
    rows: [
      ['page', 0, asked, visits],
      ['entry', 0, asked, entries],
      ['exit', 0, asked, exits],
      ...around('before', before),
      ...around('after', after),
    ],
  };
}

/** One row for each goal. A goal is a page or an event, so one of these columns is empty. */
export function goalsTable({ goals, comparison }: Report<'goals'>): Table {
  const names = ['conversions', 'conversionRate'] as const;
  return {
    header: [
      'id',
      'name',
      'page',
      'event',
      ...names,
      ...(comparison === undefined ? [] : names.map((name) => `${name} before`)),
    ],
    rows: goals.map(({ id, name, goal, comparison: before, ...numbers }) => [
      id,
      name ?? '',
      'page' in goal ? goal.page : '',
      'event' in goal ? goal.event : '',
      ...names.map((one) => numbers[one]),
      ...(before === undefined ? [] : names.map((one) => before[one])),
    ]),
  };
}
