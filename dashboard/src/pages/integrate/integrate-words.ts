import { createUseWords } from '#words/words-context.ts';

export const integrateWords = {
  title: 'Send records',
  tabTitle: (name: string) => `Send records · ${name}`,
  websites: 'Websites',
  heading: 'Send records from your backend',
  about: 'Page views go from your server to Trackside, out of reach of ad blockers.',
  test: 'Send a test page view',
  arrive: 'Watch it arrive',
  add: 'Add it to your app',
  addAbout:
    'Send a page view for every page, and an event to {path} for everything that matters to you, such as a ' +
    'sign-up or a purchase. The body of an event also has a {name} and up to 12 {parameters}.',
  language: 'Programming language',
  copy: 'Copy',
  insertKey: 'Insert API key',
  insertKeyWhy: 'Treat it like a password.',
  keyInserted:
    'The code above contains your API key. Use it only on your server, never in a web page, an app or a ' +
    'repository. {hide}',
  hideKey: 'Hide key',
  waiting: 'Waiting for the first record…',
  pageViewArrived: 'Page view received',
  eventArrived: 'Event received',
  /** `message` is the server's own, in English, as the backend got it. */
  refused: (code: string) => `A request was refused with ${code} {ago}: {message}`,
};

export type IntegrateWords = typeof integrateWords;

export const useIntegrateWords = createUseWords('integrate', integrateWords);
