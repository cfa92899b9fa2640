import { faultWordsGerman } from '#format/fault-words-german.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { accountWordsGerman } from './account/account-words-german.ts';
import { headWordsGerman } from './analytics/head/head-words-german.ts';
import { overviewWordsGerman } from './analytics/overview/overview-words-german.ts';
import { viewWordsGerman } from './analytics/view/view-words-german.ts';

/** All German words, by the names of their catalogues. */
export const german = {
  account: accountWordsGerman,
'analytics-head': headWordsGerman,
  'analytics-overview': overviewWordsGerman,
  'analytics-view': viewWordsGerman,
  faults: faultWordsGerman,
  format: formatWordsGerman,
};
