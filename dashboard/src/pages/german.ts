import { faultWordsGerman } from '#format/fault-words-german.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { accountWordsGerman } from './account/account-words-german.ts';
import { accessWordsGerman } from './edit-website/access-words-german.ts';
import { editWebsiteWordsGerman } from './edit-website/edit-website-words-german.ts';
import { integrateWordsGerman } from './integrate/integrate-words-german.ts';
import { liveWordsGerman } from './live/live-words-german.ts';
import { shareWordsGerman } from './share/share-words-german.ts';
import { websiteWordsGerman } from './website/website-words-german.ts';

/** All German words, by the names of their catalogues. */
export const german = {
  access: accessWordsGerman,
  account: accountWordsGerman,
  'edit-website': editWebsiteWordsGerman,
  faults: faultWordsGerman,
  format: formatWordsGerman,
  integrate: integrateWordsGerman,
  live: liveWordsGerman,
  share: shareWordsGerman,
  website: websiteWordsGerman,
};
