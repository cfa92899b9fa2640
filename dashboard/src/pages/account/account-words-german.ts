import type { AccountWords } from './account-words.ts';

export const accountWordsGerman: AccountWords = {
  title: 'Konto',
  language: {
    title: 'Sprache',
    about: 'Gilt für dich auf allen Geräten.',
    browser: 'Wie im Browser',
  },
  password: {
    title: 'Passwort',
    about: 'Wenn du dein Passwort änderst, wirst du auf allen anderen Geräten abgemeldet.',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    currentMissing: 'Gib dein aktuelles Passwort ein.',
    currentWrong: 'Das ist nicht dein aktuelles Passwort.',
    newMissing: 'Gib ein neues Passwort ein.',
    change: 'Passwort ändern',
    changed: 'Passwort geändert. Deine anderen Geräte sind abgemeldet.',
  },
  sessions: {
    title: 'Sitzungen',
    about: 'Gerät verloren oder ein fremdes benutzt? Melde dich überall ab.',
    unknownDevice: 'Unbekanntes Gerät',
    here: 'Dieses Gerät',
    lastUsed: 'Zuletzt verwendet: {ago}',
    end: 'Abmelden',
    endOf: (device) => `${device} abmelden`,
    ended: 'Auf diesem Gerät abgemeldet.',
    signOut: 'Hier abmelden',
    signOutEverywhere: 'Überall abmelden',
  },
};
