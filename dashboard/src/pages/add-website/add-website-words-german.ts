import type { AddWebsiteWords } from './add-website-words.ts';

export const addWebsiteWordsGerman: AddWebsiteWords = {
  title: 'Website hinzufügen',
  websites: 'Websites',
  domain: 'Domain',
  domainHint: 'Füge eine beliebige Adresse deiner Website ein oder tippe ihre Domain.',
  domainMissing: 'Gib die Domain ein, zum Beispiel shop.example.com.',
  domainRefused: 'Gib eine gültige Domain ein, zum Beispiel shop.example.com.',
  domainTaken: 'Eine Website mit dieser Domain gibt es schon.',
  name: 'Name',
  nameHint: 'So heißt die Website in Trackside und in Berichten.',
  nameRefused: 'Gib einen Namen mit höchstens 100 Zeichen ein.',
  add: 'Website hinzufügen',
  cancel: 'Abbrechen',
};
