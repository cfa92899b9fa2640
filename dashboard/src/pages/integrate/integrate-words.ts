import { createUseWords } from '#words/words-context.ts';

export const integrateWords = {
  title: 'Send records',
  tabTitle: (name: string) => `Send records · ${name}`,
  websites: 'Websites',
  heading: 'Send records from your backend',
  about: 'Page views go from your server to Trackside, out of reach of ad blockers.',
  test: 'Send a test page view',
  arrive: 'Watch it arrive',
  script: 'Add the script to your pages',
  scriptAbout:
    'It tells your own backend at {path} which page was opened. The browser never talks to Trackside.',
  endpoint: 'Receive it in your backend',
  endpointAbout: 'Your backend adds the visitor’s address and browser, and sends the page view to Trackside.',
  endpointOfCurl: 'Choose a programming language above to see the code.',
  endpointOfPhp: 'The file of step 1 is the endpoint: make it reachable at {path}.',
  event: 'Send an event',
  eventAbout:
    'For everything that matters to you, such as a sign-up or a purchase. An event has a name and up to ' +
    '12 parameters.',
  language: 'Programming language',
  copy: 'Copy',
  insertKey: 'Insert API key',
  insertKeyWhy: 'The key is hidden because anyone who has it can send records. Treat it like a password.',
  keyInserted:
    'The code on this page now contains your API key. Use it only on your server, never in a web page, an ' +
    'app or a repository. {hide}',
  hideKey: 'Hide key',
  waiting: 'Waiting for the first record…',
  pageViewArrived: 'Page view received',
  eventArrived: 'Event received',
  unauthorized:
    'A request was refused {ago} (401), because its API key is unknown. If it was yours, check the key.',
  /** `message` is the server's own, in English, as the backend got it. */
  refused: (code: string) => `A request was refused {ago} (${code}): {message}`,
};

export type IntegrateWords = typeof integrateWords;

export const useIntegrateWords = createUseWords('integrate', integrateWords);
