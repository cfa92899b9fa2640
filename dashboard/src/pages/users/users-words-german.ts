import type { UsersWords } from './users-words.ts';

export const usersWordsGerman: UsersWords = {
  title: 'Benutzer',
  about: 'Admins dürfen alles. Leser sehen die Statistiken der Websites, die du auswählst.',
  add: 'Benutzer hinzufügen',
  edit: 'Bearbeiten',
  editUser: (email) => `${email} bearbeiten`,
  remove: 'Entfernen',
  removeUser: (email) => `${email} entfernen`,
  columns: { role: 'Rolle', websites: 'Websites', lastSignIn: 'Letzte Anmeldung', actions: 'Aktionen' },
  you: 'du',
  account: 'Konto',
  allWebsites: 'Alle',
  noWebsites: 'Noch keine',
  someWebsite: (id) => `Website ${id}`,
  andMore: (names, count) => `${names} und ${count} weitere`,
  never: 'Nie',
  dialog: {
    save: 'Benutzer speichern',
    cancel: 'Abbrechen',
    emailMissing: 'Gib die E-Mail-Adresse für die Anmeldung ein.',
    firstPassword: 'Erstes Passwort',
    firstPasswordMissing: 'Gib ein erstes Passwort ein.',
    newPassword: 'Neues Passwort',
    role: 'Rolle',
    viewerHint: 'Sieht die Statistiken der Websites, die du auswählst.',
    adminHint: 'Darf alles, auf allen Websites.',
    websites: 'Websites',
    noWebsites: 'Es gibt noch keine Websites.',
    websitesRefused: 'Eine dieser Websites wurde gelöscht. Schließe den Dialog und versuche es noch einmal.',
    lastAdmin: 'Der letzte Admin kann nicht entfernt werden. Füge zuerst einen anderen Admin hinzu.',
    added: (email) => `${email} kann sich jetzt anmelden.`,
    saved: (email) => `${email} gespeichert.`,
  },
  removal: {
    title: (email) => `${email} entfernen?`,
    about:
      'Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Ihre Einträge im ' +
      'Änderungsprotokoll bleiben.',
    confirm: 'Benutzer entfernen',
    done: (email) => `${email} entfernt.`,
  },
};
