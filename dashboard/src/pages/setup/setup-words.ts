import { createUseWords } from '#words/words-context.ts';

export const setupWords = {
  title: 'Welcome to Trackside',
  about: 'Create your admin account',
  create: 'Create account',
  emailMissing: 'Enter the email address you’ll sign in with.',
  passwordMissing: 'Choose a password.',
  linkRefused:
    'This link no longer works: it was used, or the server has printed a newer one. Restart the server to ' +
    'get a new link, or run {command} there.',
  doneTitle: 'Trackside is set up',
  done: 'The admin account exists, so the setup link no longer works.',
  signIn: 'Sign in',
  linkCut: 'This is only part of the setup link.',
  linkCutHint:
    'The server prints the full link when it starts. Copy all of it, including the part after {hash}.',
};

export type SetupWords = typeof setupWords;

export const useSetupWords = createUseWords('setup', setupWords);
