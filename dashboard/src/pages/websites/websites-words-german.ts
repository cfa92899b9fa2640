import type { WebsitesWords } from './websites-words.ts';

export const websitesWordsGerman: WebsitesWords = {
  title: 'Websites',
  add: 'Website hinzufügen',
  settingsOf: (name) => `Einstellungen von ${name}`,
  deleting: 'Diese Website und ihre Daten werden gelöscht.',
  away: 'Die Statistiken werden gestartet. Sie sind gleich wieder da.',
  notLoaded: 'Die Statistiken konnten nicht geladen werden.',
  noData: 'Noch keine Daten',
  visitors: {
    one: '{number} Besucher in den letzten 24 Stunden',
    other: '{number} Besucher in den letzten 24 Stunden',
  },
  byHour: 'Besucher pro Stunde in den letzten 24 Stunden',
  quota: {
    unlimited: { one: '# Datensatz in diesem Monat', other: '# Datensätze in diesem Monat' },
    noLimit: 'Unbegrenzt',
    used: (used, limit) => `${used} / ${limit} Datensätze`,
    resets: (day) => `Neu ab ${day}`,
    label: 'Verbrauchtes Monatskontingent',
  },
  empty: {
    viewerTitle: 'Noch keine Websites',
    viewer: 'Bitte einen Admin, dir Zugriff auf eine zu geben.',
    title: 'Füge deine erste Website hinzu',
    about:
      'Du bekommst einen API-Schlüssel und die wenigen Zeilen Code, mit denen dein Backend den ersten ' +
      'Datensatz sendet.',
  },
};
