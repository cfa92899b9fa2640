import { createUseWords } from '#words/words-context.ts';

export const websiteWords = {
  website: 'Website',
  websites: 'Websites',
  notFound: {
    title: 'Website not found',
    about: 'It was deleted, or you don’t have access.',
    back: 'View all websites',
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
