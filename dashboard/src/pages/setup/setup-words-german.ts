import type { SetupWords } from './setup-words.ts';

export const setupWordsGerman: SetupWords = {
  title: 'Willkommen bei Trackside',
  about: 'Erstelle dein Admin-Konto',
  create: 'Konto erstellen',
  emailMissing: 'Gib die E-Mail-Adresse ein, mit der du dich anmelden willst.',
  passwordMissing: 'Wähle ein Passwort.',
  linkRefused:
    'Dieser Link gilt nicht mehr: Er wurde benutzt, oder der Server hat einen neueren ausgegeben. Starte ' +
    'den Server neu, um einen neuen Link zu bekommen, oder führe dort {command} aus.',
  doneTitle: 'Trackside ist eingerichtet',
  done: 'Das Admin-Konto gibt es schon, deshalb gilt der Einrichtungslink nicht mehr.',
  signIn: 'Anmelden',
  linkCut: 'Das ist nur ein Teil des Einrichtungslinks.',
  linkCutHint:
    'Der Server gibt beim Start den ganzen Link aus. Kopiere ihn vollständig, auch den Teil nach {hash}.',
};
