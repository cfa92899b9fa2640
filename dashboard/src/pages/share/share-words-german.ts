import type { ShareWords } from './share-words.ts';

export const shareWordsGerman: ShareWords = {
  publicView: 'Öffentliche Ansicht',
  title: 'Statistiken',
  visitorsHint: 'Besucher in den letzten 5 Minuten',
  now: '{count} jetzt',
  nowInFull: { one: '# Besucher jetzt aktiv', other: '# Besucher jetzt aktiv' },
  demo: {
    title: 'Das sind Demodaten.',
    about: { one: 'Der Server hat # Datensatz erfunden.', other: 'Der Server hat # Datensätze erfunden.' },
  },
  dead: {
    tabTitle: 'Ungültiger Link · Trackside',
    title: 'Dieser Link ist ungültig oder wurde widerrufen',
    about: 'Prüfe den Link auf Tippfehler, oder bitte die Person, die ihn dir geschickt hat, um einen neuen.',
  },
};
