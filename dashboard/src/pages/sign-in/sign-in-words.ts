import { createUseWords } from '#words/words-context.ts';

export const signInWords = {
  title: 'Sign in',
  forgot: 'Forgot your password? An admin can set a new one under Users, or on the server: {command}',
  noUser: 'There are no users yet. The server prints a setup link when it starts. Open that link first.',
};

export type SignInWords = typeof signInWords;

export const useSignInWords = createUseWords('sign-in', signInWords);
