import { formatWordsGerman } from '#format/format-words-german.ts';
import { accountWordsGerman } from './account/account-words-german.ts';

/** All German words, by the names of their catalogues. */
export const german = {
  format: formatWordsGerman,
  account: accountWordsGerman,
};
