import { createUseWords } from '#words/words-context.ts';

export const shareWords = {
  publicView: 'Public view',
  title: 'Analytics',
  visitorsHint: 'Visitors in the last 5 minutes',
  /** The number stands out, so it is put in as an element. */
  now: '{count} now',
  nowInFull: { one: '# visitor now', other: '# visitors now' },
  demo: {
    title: 'This is demo data.',
    about: { one: 'The server made up # record.', other: 'The server made up # records.' },
  },
  dead: {
    tabTitle: 'Invalid link · Trackside',
    title: 'This link is invalid or was revoked',
    about: 'Check the link for typos, or ask the person who sent it for a new one.',
  },
};

export type ShareWords = typeof shareWords;

export const useShareWords = createUseWords('share', shareWords);
