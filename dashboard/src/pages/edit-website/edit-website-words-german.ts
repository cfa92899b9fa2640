import type { EditWebsiteWords } from './edit-website-words.ts';

export const editWebsiteWordsGerman: EditWebsiteWords = {
  title: 'Einstellungen',
  sections: 'Abschnitte',
  sendRecords: 'So sendest du Daten',
  saving: {
    undo: 'Rückgängig',
    draft: 'Das hast du vorhin eingegeben. Es ist noch nicht gespeichert.',
    bothKept: 'Jemand anderes hat diese Website inzwischen geändert. Beide Änderungen sind gespeichert.',
    clash: 'Jemand anderes hat dieselbe Einstellung geändert, während du getippt hast.',
    notSaved: 'Deine Änderung ist noch nicht gespeichert.',
    theirs: 'Andere Änderung',
    yours: 'Deine Änderung',
    saveMine: 'Meine speichern',
    keepTheirs: 'Die andere behalten',
  },
  website: {
    title: 'Website',
    about: 'So erscheint sie in Trackside und in Berichten.',
    name: 'Name',
    domain: 'Domain',
    timezone: 'Zeitzone',
    nameMissing: 'Gib einen Namen ein.',
    domainMissing: 'Gib die Domain ein, zum Beispiel shop.example.com.',
    nameRefused: 'Gib einen Namen mit höchstens 100 Zeichen ein.',
    domainRefused: 'Gib eine Domain ohne https:// und ohne Pfad ein, zum Beispiel shop.example.com.',
    domainTaken: 'Eine andere Website hat diese Domain schon.',
    timezoneRefused: 'Wähle eine Zeitzone aus der Liste.',
    save: 'Änderungen speichern',
    saved: 'Website gespeichert.',
  },
  addresses: {
    title: 'Seiten-URLs',
    about: 'Lege fest, welche URLs als dieselbe Seite zählen.',
    ignoreTrailingSlash: 'Schrägstrich am Ende ignorieren: /about/ zählt als /about',
    ignoreCase: 'Groß- und Kleinschreibung ignorieren: /About zählt als /about',
    ignoreWww: 'www ignorieren: www.example.com zählt als example.com',
    on: 'An',
    off: 'Aus',
    save: 'Seiten-URLs speichern',
    saved: 'Seiten-URLs gespeichert. Vergangene Tage werden in wenigen Minuten angepasst.',
  },
  quota: {
    title: 'Monatskontingent',
    legend: 'Monatliche Grenze',
    name: 'Monatskontingent',
    noLimit: 'Keine Grenze',
    perMonth: { one: '# Datensatz pro Monat', other: '# Datensätze pro Monat' },
    save: 'Kontingent speichern',
    saved: 'Kontingent gespeichert. Es gilt ab dem nächsten Datensatz.',
    used: 'In diesem Monat verbraucht',
    usedIn: (month) => ({
      one: `{used} Datensatz im ${month}`,
      other: `{used} Datensätze im ${month}`,
    }),
    usedOf: (limit, month) => `{used} von ${limit} Datensätzen im ${month}`,
    noLimitSet: 'Es ist keine Grenze gesetzt.',
    resets: (day) => `Beginnt am ${day} um 00:00 UTC von vorn.`,
    full: 'Bis dahin werden neue Datensätze abgelehnt.',
    forecast: (total) => `Wenn es so weitergeht, sind es bis Monatsende etwa ${total}.`,
    forecastFull: (total, day) =>
      `Wenn es so weitergeht, sind es am Monatsende etwa ${total}, und das Kontingent ist um den ${day} aufgebraucht.`,
  },
  data: {
    title: 'Daten',
    about: 'Wie lange Datensätze aufbewahrt werden und wie du sie exportierst oder löschst.',
  },
  retention: {
    legend: 'Datensätze aufbewahren',
    forever: 'Für immer',
    foreverHint: 'Nichts wird automatisch gelöscht.',
    deleteAfter: 'Datensätze löschen nach',
    unit: 'Tagen',
    name: 'Aufbewahrung',
    days: { one: '# Tag', other: '# Tage' },
    outOfRange: (min, max) => `Gib eine Anzahl von Tagen zwischen ${min} und ${max} ein.`,
    save: 'Aufbewahrung speichern',
    saved: 'Aufbewahrung gespeichert.',
    notYet: 'Alte Datensätze werden einmal am Tag gelöscht, seit dem Start des Servers noch nicht.',
    lastRun: 'Alte Datensätze wurden zuletzt {ago} gelöscht.',
    ask: 'Ältere Datensätze löschen?',
    consequences: (days) =>
      `Alle Datensätze dieser Website vor dem {before} werden innerhalb eines Tages gelöscht. Danach wird ` +
      `gelöscht, was älter als ${days} ist. Gelöschte Datensätze und ihre Statistiken lassen sich nicht ` +
      'wiederherstellen.',
    confirm: 'Ältere Datensätze löschen',
  },
  export: {
    title: 'Rohdaten exportieren',
    about:
      'Lade die Datensätze selbst herunter, auch die von Bots. Der Download steht danach im Änderungsprotokoll.',
    from: 'Erster Tag',
    to: 'Letzter Tag',
    reversed: 'Wähle einen Tag, der nicht vor dem ersten Tag liegt.',
    format: 'Format',
    csv: 'CSV',
    parquet: 'Parquet',
    csvHint: 'Für Tabellen. Werte, die wie Formeln aussehen, werden entschärft.',
    parquetHint: 'Für Datenbanken und Notebooks. Kleiner und mit Typen.',
    download: 'Datensätze herunterladen',
  },
  person: {
    label: 'Daten einer Person',
    placeholder: 'ClientId',
    hint:
      'Trackside speichert nur einen Hash der ClientId. Gib das Original ein, um die Datensätze der ' +
      'Person zu finden.',
    missing: 'Gib die ClientId so ein, wie dein Backend sie sendet.',
    export: 'Datensätze exportieren',
    exported: 'Exportiert, ein Datensatz pro Zeile.',
    none: 'Zu dieser ClientId gibt es keine Datensätze.',
    erase: 'Löschen …',
    ask: 'Alle Datensätze dieser Person löschen?',
    consequences:
      'Gelöscht wird jeder Datensatz mit dieser ClientId und was die Person im selben Besuch vor der ' +
      'Anmeldung getan hat. Die Statistiken dieser Tage werden neu berechnet. Das lässt sich nicht ' +
      'rückgängig machen.',
    confirm: 'Datensätze löschen',
    erased: { one: '# Datensatz gelöscht.', other: '# Datensätze gelöscht.' },
  },
  remove: {
    title: 'Website löschen',
    about: 'Löscht die Website und alle ihre Datensätze.',
    button: 'Website löschen …',
    ask: (name) => `${name} löschen?`,
    consequences:
      'Der API-Schlüssel funktioniert sofort nicht mehr, und alle Datensätze und Statistiken werden ' +
      'gelöscht. Das lässt sich nicht rückgängig machen.',
    label: (domain) => `Gib zur Bestätigung ${domain} ein`,
    mismatch: (domain) => `Gib zur Bestätigung ${domain} ein.`,
    confirm: 'Website löschen',
    progress: 'Fortschritt der Löschung',
    deleting: 'Wird gelöscht …',
    deleted: (done) => ({
      one: `${done} von # Datensatz gelöscht`,
      other: `${done} von # Datensätzen gelöscht`,
    }),
    done: (name) => `${name} wurde gelöscht.`,
    failed:
      'Die Löschung ist stehen geblieben. Der API-Schlüssel funktioniert nicht mehr. Der Rest wird ' +
      'gelöscht, wenn der Server neu startet.',
  },
  cancel: 'Abbrechen',
  copy: 'Kopieren',
};
