import type { SignInWords } from './sign-in-words.ts';

export const signInWordsGerman: SignInWords = {
  title: 'Anmelden',
  forgot:
    'Passwort vergessen? Ein Admin kann unter „Benutzer“ ein neues festlegen, oder auf dem Server: {command}',
  noUser:
    'Es gibt noch keine Benutzer. Der Server gibt beim Start einen Einrichtungslink aus. Öffne zuerst ' +
    'diesen Link.',
};
