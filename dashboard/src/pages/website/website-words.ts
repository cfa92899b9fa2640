import { createUseWords } from '#words/words-context.ts';

export const websiteWords = {
  website: 'Website',
  websites: 'Websites',
  first: {
    title: 'Your first record is here.',
    about: 'Opening your dashboard… These instructions stay under {link}.',
    link: 'Send records',
    open: 'View dashboard',
  },
};

export type WebsiteWords = typeof websiteWords;

export const useWebsiteWords = createUseWords('website', websiteWords);
