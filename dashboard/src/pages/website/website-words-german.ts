import type { WebsiteWords } from './website-words.ts';

export const websiteWordsGerman: WebsiteWords = {
  website: 'Website',
  websites: 'Websites',
  noNumbers: {
    title: 'Noch keine Daten',
    about: (domain) => `Sobald ${domain} den ersten Datensatz sendet, erscheinen hier Statistiken.`,
  },
  quota: {
    near: (percent) => `${percent} % des monatlichen Kontingents sind verbraucht.`,
    nearAbout: (used, limit, day) =>
      `Das sind ${used} von ${limit} Datensätzen. Am ${day} um 00:00 UTC beginnt es von vorn.`,
    full: 'Das Kontingent für diesen Monat ist aufgebraucht.',
    fullUntil: (day) => `Bis ${day}, 00:00 UTC werden neue Datensätze abgelehnt.`,
    refused: {
      one: 'Seit dem Start des Servers wurde in diesem Monat # Datensatz abgelehnt.',
      other: 'Seit dem Start des Servers wurden in diesem Monat # Datensätze abgelehnt.',
    },
    change: 'Kontingent ändern',
  },
  first: {
    title: 'Dein erster Datensatz ist da.',
    about: 'Das Dashboard wird geöffnet… Diese Anleitung findest du weiter unter {link}.',
    link: 'Daten senden',
    open: 'Dashboard ansehen',
  },
};
