import { createUseWords } from '#words/words-context.ts';

export const notFoundWords = {
  title: 'Page not found',
  heading: 'There’s nothing at this address',
  about: 'The link may be outdated or mistyped, or you may not have access.',
  allWebsites: 'All websites',
};

export type NotFoundWords = typeof notFoundWords;

export const useNotFoundWords = createUseWords('not-found', notFoundWords);
