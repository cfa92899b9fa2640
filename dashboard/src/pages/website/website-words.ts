import { createUseWords } from '#words/words-context.ts';

export const websiteWords = {
  website: 'Website',
  websites: 'Websites',
  noNumbers: {
    title: 'No data yet',
    about: (domain: string) => `Statistics appear here as soon as ${domain} sends its first record.`,
  },
  quota: {
    near: (percent: string) => `You’ve used ${percent}% of this month’s quota.`,
    nearAbout: (used: string, limit: string, day: string) =>
      `That’s ${used} of ${limit} records. It resets on ${day} at 00:00 UTC.`,
    full: 'This month’s quota is used up.',
    fullUntil: (day: string) => `New records are refused until ${day} at 00:00 UTC.`,
    /** The server counts them in memory. */
    refused: {
      one: '# record was refused this month since the server started.',
      other: '# records were refused this month since the server started.',
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
