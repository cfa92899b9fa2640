import { createUseWords } from '#words/words-context.ts';

export const integrateWords = {
  title: 'Send records',
  heading: 'Send records from your backend',
  about: 'Page views go from your server to Trackside, out of reach of ad blockers.',
  test: 'Send a test page view and an event',
  arrive: 'Watch them arrive',
  script: 'Add the script to your pages',
  scriptAbout:
    'It tells your own backend at {path} which page was opened. The browser never talks to Trackside.',
  endpoint: 'Receive it in your backend',
  endpointAbout: 'Your backend adds the visitor’s address and browser, and sends the page view to Trackside.',
  endpointOfCurl: 'Choose a programming language above to see the code.',
  endpointRun:
    'The program from step 1 does this, too. Start it like this, or move its functions into your app:',
  event: 'Send an event',
  eventOfCurl:
    'For everything that matters to you, such as a sign-up or a purchase. An event has a name and up to ' +
    '12 parameters. The script from step 1 sends one as a test.',
  eventAbout:
    'For everything that matters to you, such as a sign-up or a purchase. An event has a name and up to ' +
    '12 parameters. The program sends one as a test, and its endpoint sends one for each sign-up at {path}.',
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
  check: {
    title: 'Check a record',
    about:
      'Paste what your backend sends, and see what Trackside makes of it. Nothing is stored or counted. ' +
      'Your backend can do the same with the header {header}.',
    body: 'Request body',
    bodyHint: 'JSON. Add the field Name to check it as an event.',
    missing: 'Paste a request body.',
    tooLong: 'Enter at most 10,000 characters.',
    submit: 'Check record',
    accepted: 'This record would be accepted (200).',
    excluded: 'This record would be answered with 200, but not stored or counted: {message}',
    refused: (code: string) => `This record would be refused (${code}): {message}`,
  },
};

export type IntegrateWords = typeof integrateWords;

export const useIntegrateWords = createUseWords('integrate', integrateWords);
