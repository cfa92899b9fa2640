import { faultWordsGerman } from '#format/fault-words-german.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { sharedWordsGerman } from '#words/shared-words-german.ts';
import { accountWordsGerman } from './account/account-words-german.ts';
import { addWebsiteWordsGerman } from './add-website/add-website-words-german.ts';
import { auditWordsGerman } from './audit/audit-words-german.ts';
import { notFoundWordsGerman } from './not-found/not-found-words-german.ts';
import { setupWordsGerman } from './setup/setup-words-german.ts';
import { signInWordsGerman } from './sign-in/sign-in-words-german.ts';
import { usersWordsGerman } from './users/users-words-german.ts';
import { websitesWordsGerman } from './websites/websites-words-german.ts';

/** All German words, by the names of their catalogues. */
export const german = {
  account: accountWordsGerman,
  'add-website': addWebsiteWordsGerman,
  audit: auditWordsGerman,
  faults: faultWordsGerman,
  format: formatWordsGerman,
  'not-found': notFoundWordsGerman,
  setup: setupWordsGerman,
  shared: sharedWordsGerman,
  'sign-in': signInWordsGerman,
  users: usersWordsGerman,
  websites: websitesWordsGerman,
};
