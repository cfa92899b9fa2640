import type { NotFoundWords } from './not-found-words.ts';

export const notFoundWordsGerman: NotFoundWords = {
  title: 'Seite nicht gefunden',
  heading: 'Unter dieser Adresse gibt es nichts',
  about: 'Vielleicht ist der Link veraltet oder vertippt, oder du hast keinen Zugriff.',
  allWebsites: 'Alle Websites',
};
