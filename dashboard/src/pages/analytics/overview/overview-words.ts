import type { Counted } from '#words/counted.ts';
import { createUseWords } from '#words/words-context.ts';

/** A metric, and a value of it in a sentence. `#` stands for the value. */
type MetricWords = { label: string; value: Counted };

const alike = (text: string): Counted => ({ one: text, other: text });

/** The words of the cards, the chart and its notes. */
export const overviewWords = {
  title: 'Overview',
  retry: 'Try again',
  cards: 'Metric shown in the chart',
  metrics: {
    visitors: { label: 'Visitors', value: { one: '# visitor', other: '# visitors' } },
    visits: { label: 'Visits', value: { one: '# visit', other: '# visits' } },
    pageViews: { label: 'Page views', value: { one: '# page view', other: '# page views' } },
    viewsPerVisit: { label: 'Views per visit', value: alike('# views per visit') },
    events: { label: 'Events', value: { one: '# event', other: '# events' } },
    conversions: { label: 'Conversions', value: { one: '# conversion', other: '# conversions' } },
    conversionRate: { label: 'Conversion rate', value: alike('# converted') },
    bounceRate: { label: 'Bounce rate', value: alike('# bounced') },
    visitDuration: { label: 'Visit duration', value: alike('# per visit') },
  } satisfies Record<string, MetricWords>,
  dailyVisitors: {
    note: 'with repeats',
    about: 'Each day’s visitors added up. Someone who visits on three days counts three times.',
  },
  partlyDailyVisitors: {
    note: 'incl. repeats',
    about: 'Visitors with a ClientId count once. Everyone else counts once per day.',
  },
  change: {
    points: { one: '# pt', other: '# pts' },
    new: 'New',
    before: (value: string) => `${value} in the compared period`,
    incomplete: (day: string) =>
      `No change shown: data begins on ${day}, so the compared period is incomplete.`,
  },
  chart: {
    title: {
      minute: (metric: string) => `${metric} by minute`,
      hour: (metric: string) => `${metric} by hour`,
      day: (metric: string) => `${metric} by day`,
      week: (metric: string) => `${metric} by week`,
      month: (metric: string) => `${metric} by month`,
    },
    selected: (span: string) => `Selected: ${span}`,
    point: (time: string, value: string) => `${time}: ${value}`,
    toCome: 'Not yet available',
    noVisits: 'No visits',
    soFar: (value: string) => `${value} so far`,
    previous: (value: string) => `${value} in the previous period`,
    legend: 'Legend',
    addSecond: 'Add metric',
    second: (metric: string) => `Second metric: ${metric}`,
    secondMenu: 'Second metric in the chart',
    noSecond: 'No second metric',
    time: 'Time',
    compared: 'Compared',
    empty: 'No data to show',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    release: 'Release to zoom in',
    pressEnter: 'Press Enter to zoom in',
    addNote: 'Add note',
  },
  note: {
    flag: (day: string, text: string) => `Note for ${day}: ${text}`,
    addTitle: 'Add note',
    text: 'What happened?',
    example: 'Newsletter sent',
    hint: 'Visible to everyone with access to this website, but not on the public page.',
    day: 'Date',
    cancel: 'Cancel',
    add: 'Add note',
    dayMissing: 'Choose a date.',
    textMissing: 'Enter what happened.',
    tooLong: (most: string, length: string) => `Use at most ${most} characters. You entered ${length}.`,
    one: 'Note',
    many: 'Notes',
    close: 'Close',
    edit: 'Edit note',
    save: 'Save note',
    delete: 'Delete note',
    confirmDelete: 'Confirm deletion',
    deleted: 'Note deleted.',
  },
};

export type OverviewWords = typeof overviewWords;

export const useOverviewWords = createUseWords('analytics-overview', overviewWords);
