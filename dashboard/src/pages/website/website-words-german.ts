import type { WebsiteWords } from './website-words.ts';

export const websiteWordsGerman: WebsiteWords = {
  website: 'Website',
  websites: 'Websites',
  first: {
    title: 'Dein erster Datensatz ist da.',
    about: 'Das Dashboard wird geöffnet… Diese Anleitung findest du weiter unter {link}.',
    link: 'Daten senden',
    open: 'Dashboard ansehen',
  },
};
