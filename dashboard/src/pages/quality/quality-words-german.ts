import type { QualityWords } from './quality-words.ts';

export const qualityWordsGerman: QualityWords = {
  about: 'Was aus jedem gesendeten Datensatz geworden ist.',
  period: 'Zeitraum',
  days: (days) => `${days} Tage`,
  since: (time) => `Gezählt wird seit dem ${time}.`,

  empty: {
    title: 'Hier ist noch nichts erfasst',
    about: 'Ab dem nächsten Datensatz zeigt diese Seite, was aus allem wird, was dein Backend sendet.',
    action: 'Daten senden',
    inPeriod: (days) => `In den letzten ${days} Tagen wurde nichts gesendet`,
    inPeriodAbout: 'Wähle einen längeren Zeitraum oder prüfe, ob dein Backend noch Datensätze sendet.',
  },

  verdict: {
    all: (days) => `Alles, was in den letzten ${days} Tagen angekommen ist, wurde gezählt.`,
    allowed: (days) =>
      `Alles, was in den letzten ${days} Tagen angekommen ist, wurde gezählt, außer dem, was deine Regeln ausschließen.`,
    refused: (share, sent) => `${sent} gesendet, ${share} abgelehnt.`,
    missing: (share, sent) => `${sent} gesendet, ${share} fehlend.`,
    both: (share, sent) => `${sent} gesendet, ${share} abgelehnt oder fehlend.`,
    lost: (share, sent) => `${sent} gesendet, ${share} nicht gezählt.`,
  },
  records: { one: '# Datensatz', other: '# Datensätze' },

  counts: {
    accepted: 'Gezählt',
    refused: 'Abgelehnt',
    missing: 'Fehlend',
    excluded: 'Ausgeschlossen',
    overQuota: 'Über dem Kontingent',
    repeated: 'Wiederholt',
  },
  abouts: {
    accepted: 'Gespeichert und Teil deiner Statistik.',
    refused: 'Mit 400 beantwortet: Ein Feld fehlte oder war falsch.',
    missing: 'Von deinem Backend nummeriert, aber nie angekommen.',
    excluded: 'Von einer deiner Regeln erfasst. Mit 200 beantwortet, aber nicht gespeichert.',
    overQuota: 'Mit 429 beantwortet: Das Monatskontingent war aufgebraucht.',
    repeated: 'Erneut angekommen, aber nur einmal gezählt. Nicht in der Summe enthalten.',
  },
  unknown: 'Unbekannt',
  unnumbered: 'Dein Backend nummeriert seine Datensätze nicht.',
  exclusions: 'Ausschlüsse bearbeiten',
  quota: 'Kontingent ändern',

  calendar: {
    title: 'Tag für Tag',
    about: 'Wähle einen Tag, um seine Stunden zu sehen.',
    choose: 'Tag',
    none: 'Keine Datensätze',
    levels: { 0: 'Alles gezählt', 1: 'Bis 1 % verloren', 2: 'Bis 5 % verloren', 3: 'Über 5 % verloren' },
    hours: (timezone) => `Datensätze pro Stunde, ${timezone}`,
  },

  refusals: {
    title: 'Abgelehnte Datensätze',
    about: 'Nach Grund, häufigste zuerst. Die Werte selbst werden nie gespeichert.',
    none: 'Kein Datensatz wurde abgelehnt.',
    other: 'Die Anfrage als Ganzes',
    seen: 'Zuerst {first}, zuletzt {last}.',
    lacking: (release, share) => `Seit Version ${release} fehlt dieses Feld in ${share} der Datensätze.`,
    wrong: (release, share) => `Seit Version ${release} ist dieses Feld in ${share} der Datensätze falsch.`,
    ofRelease: (release, records, sent) => `${release}: ${records} von ${sent}`,
    releases: (releases) => `Nach Version: ${releases.join(', ')}.`,
  },

  missing: {
    title: 'Fehlende Datensätze',
    about:
      'Diese Nummern sind nie angekommen. Ihre Datensätze gingen unterwegs verloren, zum Beispiel weil ein ' +
      'Prozess endete, bevor er sie gesendet hatte, oder weil das Netz zu lange ausfiel. Sieh in ' +
      'den Logs des Absenders aus dieser Zeit nach. Kommt ein Datensatz doch noch an, verschwindet seine ' +
      'Nummer aus dieser Liste.',
    none: 'Es fehlen keine Datensätze.',
    unnumbered:
      'Ob ein Datensatz nie angekommen ist, lässt sich nur feststellen, wenn dein Backend seine Datensätze ' +
      'nummeriert. Sende den Header {header}, um verlorene Datensätze hier zu sehen.',
    sender: 'Absender',
    numbers: 'Nummern',
    records: 'Datensätze',
    hour: 'Erwartet',
  },

  releases: {
    title: 'Versionen',
    none: 'Um zu sehen, welche Version ein Problem verursacht hat, sende sie im Header {header}.',
    release: 'Version',
    without: 'Ohne Version',
    sent: 'Gesendet',
    first: 'Zuerst gesehen',
  },

  keys: {
    title: 'API-Schlüssel',
    about: 'Einige Datensätze wurden mit einem anderen als dem aktuellen Schlüssel gesendet.',
    key: 'Schlüssel',
    current: '(aktuell)',
    old: '(alt)',
  },
};
