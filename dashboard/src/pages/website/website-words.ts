import { createUseWords } from '#words/words-context.ts';

export const websiteWords = {
  website: 'Website',
  websites: 'Websites',
  noNumbers: {
    title: 'No data yet',
    about: (domain: string) => `Statistics appear here as soon as ${domain} sends its first record.`,
  },
  firstRun: {
    title: 'See it in action',
    about: 'Try the dashboard before you write any code.',
    test: 'Test page view',
    testAbout: 'Trackside sends itself one page view, the way your backend will.',
    sendTest: 'Send a test page view',
    demo: 'Demo data',
    demoAbout: 'Fill the dashboard with a year of made-up visitors. You can remove them at any time.',
    loadDemo: 'Load demo data',
    loading: 'Loading demo data',
    loaded: (percent: string) => `Loading demo data… ${percent}%`,
    demoName: 'Demo website',
  },
  demo: {
    title: 'This is demo data.',
    about: {
      one: 'The server made up # record. Remove it before you send your own.',
      other: 'The server made up # records. Remove them before you send your own.',
    },
    remove: 'Remove demo data',
    removing: 'Removing demo data…',
    removingAbout: 'This may take a minute. The page reloads when it’s done.',
  },
  quota: {
    near: (percent: string) => `You’ve used ${percent}% of this month’s quota.`,
    nearAbout: (used: string, limit: string, day: string) =>
      `That’s ${used} of ${limit} records. It resets on ${day} at 00:00 UTC.`,
    full: 'This month’s quota is used up.',
    fullUntil: (day: string) => `New records are refused until ${day} at 00:00 UTC.`,
    /** The server counts them in memory. */
    refused: {
      one: '# record has been refused this month, counted since the server started.',
      other: '# records have been refused this month, counted since the server started.',
    },
    change: 'Change quota',
  },
  first: {
    title: 'Your first record is here.',
    about: 'Opening your dashboard… These instructions stay under {link}.',
    link: 'Send records',
    open: 'View dashboard',
  },
};

export type WebsiteWords = typeof websiteWords;

export const useWebsiteWords = createUseWords('website', websiteWords);
