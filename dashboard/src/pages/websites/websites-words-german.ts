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
    one: '{number} Besucher in 24 Stunden',
    other: '{number} Besucher in 24 Stunden',
  },
  visitorsCounted: { one: '# Besucher', other: '# Besucher' },
  before: (visitors) => `${visitors} in den 24 Stunden davor`,
  byHour: 'Besucher pro Stunde in den letzten 24 Stunden',
  quota: {
    unlimited: { one: '# Datensatz in diesem Monat', other: '# Datensätze in diesem Monat' },
    noLimit: 'Unbegrenzt',
    used: (used, limit) => `${used} von ${limit} Datensätzen`,
    resets: (day) => `Neu ab ${day}`,
    label: 'Verbrauchtes Monatskontingent',
  },
  shortUnit: 'Besucher in 24 Std.',
  columns: { website: 'Website', visitors: 'Besucher in 24 Stunden', usage: 'Datensätze im Monat' },
  tools: {
    search: 'Websites suchen',
    sort: 'Sortieren nach',
    sortings: { traffic: 'Zugriffen im Monat', name: 'Name', added: 'Datum' },
    count: { one: '# Website', other: '# Websites' },
    more: 'Mehr Websites anzeigen',
    nothing: 'Keine Websites gefunden',
    nothingHint: 'Kein Name und keine Domain passt zu deiner Suche.',
    clear: 'Suche löschen',
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
