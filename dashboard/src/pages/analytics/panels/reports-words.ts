import { createUseWords } from '#words/words-context.ts';

/** The words of the reports about bots, paths and retention. */
export const reportsWords = {
  bots: {
    title: 'Bots',
    all: 'All',
    ai: 'AI crawlers',
    bot: 'Bot',
    page: 'Page',
    unit: 'Records',
    otherBot: 'Other bot',
    records: { one: '# record', other: '# records' },
    days: { one: 'on # day', other: 'on # days' },
    lastSeen: (last: string) => `last seen ${last}`,
    about: 'Bots are excluded everywhere else.',
    wholeDays: 'Counts whole days.',
    unfiltered: 'Filters don’t apply to bots.',
    allBots: (count: string) => `All ${count} bots`,
    noBots: 'No bots in this period',
    noAi: 'No AI crawlers in this period',
    mostRequested: ({ shown, all }: { shown: string; all: string }) =>
      `The ${shown} most requested of ${all} pages.`,
    close: 'Close',
  },
  paths: {
    title: 'Previous and next pages',
    before: 'Previous page',
    after: 'Next page',
    visits: 'Visits',
    visitsOfPage: { one: 'visit', other: 'visits' },
    whatVisitorsDid: 'What visitors of this page did',
    views: { after: 'Next pages', before: 'Previous pages', events: 'Events' },
    nobodyBefore: 'No visits came from another page',
    nobodyAfter: 'No visits continued to another page',
    edges: ({ entered, left }: { entered: string; left: string }) =>
      `${entered} started here, ${left} ended here`,
  },
  retention: {
    title: 'Retention',
    table: 'Retention by week',
    none: 'Send a ClientId to recognize visitors on another day. Then you’ll see here how many come back, week by week.',
    about: ({ weeks, day }: { weeks: number; day: string }) =>
      `New visitors with a ClientId, and how many came back in later weeks. ${weeks}\u00a0weeks up to ${day}.`,
    weekOf: 'Week of',
    new: 'New',
    weekAfter: 'Came back in week',
    came: ({ came, all }: { came: string; all: string }) => `${came} of ${all}`,
    cameSoFar: ({ came, all }: { came: string; all: string }) =>
      `${came} of ${all} so far; this week isn’t over yet`,
  },
};

export type ReportsWords = typeof reportsWords;

export const useReportsWords = createUseWords('analytics-reports', reportsWords);
