import { faultWordsGerman } from '#format/fault-words-german.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { accountWordsGerman } from './account/account-words-german.ts';

/** All German words, by the names of their catalogues. */
export const german = {
  account: accountWordsGerman,
  faults: faultWordsGerman,
  format: formatWordsGerman,
};
