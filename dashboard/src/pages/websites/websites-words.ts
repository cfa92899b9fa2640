import { createUseWords } from '#words/words-context.ts';

export const websitesWords = {
  title: 'Websites',
  add: 'Add website',
  settingsOf: (name: string) => `Settings of ${name}`,
  deleting: 'This website and its records are being deleted.',
  away: 'Statistics are starting up. They’ll be back in a moment.',
  notLoaded: 'Couldn’t load the statistics.',
  noData: 'No data yet',
  visitors: {
    one: '{number} visitor in 24 hours',
    other: '{number} visitors in 24 hours',
  },
  visitorsCounted: { one: '# visitor', other: '# visitors' },
  before: (visitors: string) => `${visitors} in the 24 hours before`,
  byHour: 'Visitors per hour in the last 24 hours',
  quota: {
    unlimited: { one: '# record this month', other: '# records this month' },
    noLimit: 'No limit',
    used: (used: string, limit: string) => `${used} of ${limit} records`,
    resets: (day: string) => `Resets ${day}`,
    label: 'Monthly quota used',
  },
  /** Below the number of visitors, where the columns have no names. */
  shortUnit: 'visitors in 24 h',
  columns: { website: 'Website', visitors: 'Visitors in the last 24 hours', usage: 'Records this month' },
  tools: {
    search: 'Search websites',
    sort: 'Sort by',
    sortings: { traffic: 'Traffic this month', name: 'Name', added: 'Date added' },
    count: { one: '# website', other: '# websites' },
    more: 'Show more websites',
    nothing: 'No websites found',
    nothingHint: 'No name or domain matches your search.',
    clear: 'Clear search',
  },
  empty: {
    viewerTitle: 'No websites yet',
    viewer: 'Ask an admin to give you access to one.',
    title: 'Add your first website',
    about:
      'You’ll get an API key, and the few lines of code that your backend needs to send its first record.',
  },
};

export type WebsitesWords = typeof websitesWords;

export const useWebsitesWords = createUseWords('websites', websitesWords);
