import type { LiveWords } from './live-words.ts';

export const liveWordsGerman: LiveWords = {
  title: 'Live',
  titleNow: (count) => `${count} jetzt`,
  now: 'Jetzt',
  visitorsNow: { one: 'Besucher jetzt aktiv', other: 'Besucher jetzt aktiv' },
  seen: 'Aktiv in den letzten 5 Minuten',
  lastHalfHour: 'Letzte 30 Minuten',
  visitors: { one: '# Besucher', other: '# Besucher' },
  pageViews: { one: '# Seitenaufruf', other: '# Seitenaufrufe' },
  thisMinute: (visitors, pageViews) => `Diese Minute: ${visitors}, ${pageViews}`,
  minutesAgo: (minutes, visitors, pageViews) => `Vor ${minutes} Min.: ${visitors}, ${pageViews}`,
  chart: (peak) => `Besucher in jeder der letzten 30 Minuten. Höchstwert: ${peak} pro Minute`,
  axisFrom: 'vor 30 Min.',
  axisTo: 'jetzt',
  peak: (count) => `Höchstwert: ${count} pro Minute`,
  away:
    'Gerade gibt es keine Live-Daten. Datensätze werden weiter angenommen, und diese Seite läuft von ' +
    'selbst weiter.',
  nobody: 'Gerade ist niemand hier',
  nobodyAbout: 'Neue Besucher erscheinen hier sofort.',
  latest: 'Letzte Aktivitäten',
  noLatest: 'Keine Aktivität in den letzten 30 Minuten',
  from: (source) => `von ${source}`,
  pages: 'Seiten',
  page: 'Seite',
  sources: 'Quellen',
  source: 'Quelle',
  countries: 'Länder',
  country: 'Land',
  unit: 'Besucher',
};
