import type { FunnelsWords } from './funnels-words.ts';

export const funnelsWordsGerman: FunnelsWords = {
  title: 'Funnels',
  new: 'Neuer Funnel',
  none: {
    about:
      'Ein Funnel zeigt, wie viele Besucher eine Reihe von Schritten schaffen, etwa von den Preisen bis zur Registrierung, und wo die anderen abbrechen.',
    step: 'Ereignis signup',
    askAdmin: 'Bitte einen Admin, einen anzulegen.',
  },
  switch: (name) => `Funnel wechseln, aktuell ${name}`,
  remove: 'Funnel löschen …',
  step: 'Schritt',
  visitors: 'Besucher',
  event: '{kind} {name}',
  eventKind: 'Ereignis',
  withParameter: ({ event, name, value }) => `${event}, ${name} = ${value}`,
  droppedOff: ({ count, share }) => `${count} abgebrochen (${share})`,
  nobodyDroppedOff: 'Niemand hat abgebrochen',
  completed: {
    inOneVisit: '{share} haben den Funnel in einem Besuch abgeschlossen',
    withinDays: {
      one: '{share} haben den Funnel innerhalb von # Tag abgeschlossen (Besucher mit ClientId)',
      other: '{share} haben den Funnel innerhalb von # Tagen abgeschlossen (Besucher mit ClientId)',
    },
  },
  nobodyStarted: 'In diesem Zeitraum hat niemand den Funnel begonnen',
  wholeDays: 'Gezählt werden ganze Tage.',
  form: {
    name: 'Name',
    nameExample: 'Registrierung',
    nameMissing: 'Gib einen Namen ein.',
    nameRefused: ({ length, funnels }) =>
      `Höchstens ${length} Zeichen in einer Zeile. Eine Website kann bis zu ${funnels} Funnels haben.`,
    stepsRefused: 'Prüfe die Schritte: Einer ist zu lang oder enthält unzulässige Zeichen.',
    window: 'Alle Schritte abschließen',
    inOneVisit: 'In einem Besuch',
    withinDays: 'Innerhalb mehrerer Tage',
    withinDaysHint:
      'Zählt nur Besucher mit ClientId, weil andere am nächsten Tag nicht wiedererkannt werden können.',
    days: 'Tage vom ersten bis zum letzten Schritt',
    daysWrong: ({ min, max }) => `Gib eine ganze Zahl von ${min} bis ${max} ein.`,
    cancel: 'Abbrechen',
    create: 'Funnel anlegen',
  },
  steps: {
    legend: 'Schritte',
    add: 'Schritt hinzufügen',
    hint: 'Ein * am Ende eines Pfads steht für alles, was folgt.',
    kind: (number) => `Schritt ${number}, Art`,
    kinds: { page: 'Seite', event: 'Ereignis', parameter: 'Ereignis mit Parameter' },
    page: (number) => `Schritt ${number}, Pfad der Seite`,
    event: (number) => `Schritt ${number}, Name des Ereignisses`,
    parameterName: (number) => `Schritt ${number}, Name des Parameters`,
    parameterValue: (number) => `Schritt ${number}, Wert des Parameters`,
    moveUp: (number) => `Schritt ${number} nach oben`,
    moveDown: (number) => `Schritt ${number} nach unten`,
    remove: (number) => `Schritt ${number} entfernen`,
    pageMissing: (number) => `Schritt ${number}: Gib einen Pfad ein, zum Beispiel /pricing oder /blog/*.`,
    eventMissing: (number) => `Schritt ${number}: Gib den Namen eines Ereignisses ein.`,
    parameterMissing: (number) => `Schritt ${number}: Gib den Namen des Parameters ein.`,
  },
  removal: {
    title: (name) => `Funnel „${name}“ löschen?`,
    about: 'Er wird für alle gelöscht. Deine Daten bleiben erhalten.',
    remove: 'Funnel löschen',
  },
};
