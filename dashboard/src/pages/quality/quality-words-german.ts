import type { QualityWords } from './quality-words.ts';

export const qualityWordsGerman: QualityWords = {
  about: 'Was aus jedem gesendeten Datensatz geworden ist.',
  period: 'Zeitraum',
  days: (days) => `${days} Tage`,
  since: (time) => `Gezählt wird seit ${time}.`,

  empty: {
    title: 'Hier ist noch nichts erfasst',
    about:
      'Ab dem nächsten Datensatz zeigt diese Seite, was aus allem geworden ist, was dein Backend sendet.',
    action: 'Datensätze senden',
    inPeriod: (days) => `In den letzten ${days} Tagen wurde nichts gesendet`,
    inPeriodAbout: 'Wähle einen längeren Zeitraum, oder prüfe, ob dein Backend noch Datensätze sendet.',
  },

  verdict: {
    all: (days) => `Alles, was in den letzten ${days} Tagen gesendet wurde, wurde gezählt.`,
    allowed: (days) =>
      `Alles, was in den letzten ${days} Tagen gesendet wurde, wurde gezählt, außer was deine Regeln ausschließen.`,
    refused: (share, sent) => `${share} der ${sent} wurden abgelehnt.`,
    missing: (share, sent) => `${share} der ${sent} fehlen.`,
    both: (share, sent) => `${share} der ${sent} wurden abgelehnt oder fehlen.`,
    lost: (share, sent) => `${share} der ${sent} wurden nicht gezählt.`,
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
    repeated: 'Noch einmal angekommen und nur einmal gezählt. Nicht Teil der Summe.',
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
    levels: { 0: 'Alles gezählt', 1: 'Bis 1 % verloren', 2: 'Bis 5 % verloren', 3: 'Mehr verloren' },
    hours: (timezone) => `Datensätze pro Stunde, ${timezone}`,
  },

  refusals: {
    title: 'Abgelehnte Datensätze',
    about: 'Nach Grund, häufigste zuerst. Die Werte selbst werden nie gespeichert.',
    none: 'Kein Datensatz wurde abgelehnt.',
    other: 'Die Anfrage als Ganzes',
    shape: 'Erwartet: {expected}, erhalten: {got}.',
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
      'Prozess endete, bevor er sie gesendet hatte, oder weil das Netz zu lange ausfiel. Prüfe, was ' +
      'beim Absender zu dieser Zeit geschah. Kommt ein Datensatz doch noch an, verschwindet seine Nummer ' +
      'von dieser Liste.',
    none: 'Keine Nummer fehlt.',
    unnumbered:
      'Ein Datensatz, der nie ankommt, hinterlässt keine Spur, außer wenn sein Absender die Datensätze ' +
      'nummeriert. Mit dem Header {header} erscheinen verlorene Datensätze hier.',
    sender: 'Absender',
    numbers: 'Nummern',
    records: 'Datensätze',
    hour: 'Fällig',
  },

  releases: {
    title: 'Versionen',
    none: 'Um zu sehen, welche Version ein Problem verursacht hat, sende sie im Header {header}.',
    release: 'Version',
    without: 'Ohne Version',
    sent: 'Gesendet',
    first: 'Zuerst gesehen',
    last: 'Zuletzt gesehen',
  },

  keys: {
    title: 'API-Schlüssel',
    about: 'Datensätze kamen auch mit einem anderen als dem aktuellen Schlüssel an.',
    key: 'Schlüssel',
    current: '(aktuell)',
    old: '(alt)',
  },
};
