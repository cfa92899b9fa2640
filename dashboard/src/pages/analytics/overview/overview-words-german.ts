import type { Counted } from '#words/counted.ts';
import type { OverviewWords } from './overview-words.ts';

const alike = (text: string): Counted => ({ one: text, other: text });

export const overviewWordsGerman: OverviewWords = {
  title: 'Übersicht',
  retry: 'Erneut versuchen',
  cards: 'Messwert im Diagramm',
  metrics: {
    visitors: { label: 'Besucher', value: alike('# Besucher') },
    visits: { label: 'Besuche', value: { one: '# Besuch', other: '# Besuche' } },
    pageViews: { label: 'Seitenaufrufe', value: { one: '# Seitenaufruf', other: '# Seitenaufrufe' } },
    viewsPerVisit: { label: 'Aufrufe pro Besuch', value: alike('# Aufrufe pro Besuch') },
    events: { label: 'Ereignisse', value: { one: '# Ereignis', other: '# Ereignisse' } },
    conversionRate: { label: 'Konversionsrate', value: alike('# konvertiert') },
    bounceRate: { label: 'Absprungrate', value: alike('# abgesprungen') },
    visitDuration: { label: 'Besuchsdauer', value: alike('# pro Besuch') },
  },
  dailyVisitors: {
    note: 'täglich',
    about: 'Summe der Besucher jedes Tages. Wer an drei Tagen kommt, zählt dreimal.',
  },
  partlyDailyVisitors: {
    note: 'teils täglich',
    about: 'Besucher mit ClientId zählen einmal, alle anderen einmal pro Tag.',
  },
  change: {
    points: alike('# %-Pkt.'),
    new: 'Neu',
    before: (value) => `${value} im Vergleichszeitraum`,
    incomplete: (day) =>
      `Keine Veränderung: Die Daten beginnen am ${day}, der Vergleichszeitraum ist also unvollständig.`,
  },
  chart: {
    title: {
      minute: (metric) => `${metric}, minütlich`,
      hour: (metric) => `${metric}, stündlich`,
      day: (metric) => `${metric}, täglich`,
      week: (metric) => `${metric}, wöchentlich`,
      month: (metric) => `${metric}, monatlich`,
    },
    selected: (span) => `Ausgewählt: ${span}`,
    point: (time, value) => `${time}: ${value}`,
    toCome: 'Noch keine Daten',
    noVisits: 'Keine Besuche',
    soFar: (value) => `Bisher ${value}`,
    previous: (value) => `${value} im vorherigen Zeitraum`,
    previousYear: (value) => `${value} ein Jahr zuvor`,
    time: 'Zeit',
    compared: 'Vergleich',
    empty: 'Keine Daten in diesem Zeitraum',
    zoomIn: 'Hineinzoomen',
    zoomOut: 'Herauszoomen',
    release: 'Zum Hineinzoomen loslassen',
    pressEnter: 'Mit Enter hineinzoomen',
    addNote: 'Notiz hinzufügen',
  },
  note: {
    flag: (day, text) => `Notiz vom ${day}: ${text}`,
    addTitle: 'Notiz hinzufügen',
    text: 'Was ist passiert?',
    example: 'Newsletter verschickt',
    hint: 'Sichtbar für alle, die Zugriff auf diese Website haben, aber nicht auf der öffentlichen Seite.',
    day: 'Datum',
    cancel: 'Abbrechen',
    add: 'Notiz hinzufügen',
    dayMissing: 'Wähle ein Datum.',
    textMissing: 'Gib ein, was passiert ist.',
    tooLong: (most, length) => `Verwende höchstens ${most} Zeichen. Du hast ${length} eingegeben.`,
    one: 'Notiz',
    many: 'Notizen',
    close: 'Schließen',
    delete: 'Notiz löschen',
    confirmDelete: 'Löschen bestätigen',
    deleted: 'Notiz gelöscht.',
  },
};
