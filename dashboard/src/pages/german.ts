import { faultWordsGerman } from '#format/fault-words-german.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { sharedWordsGerman } from '#words/shared-words-german.ts';
import { accountWordsGerman } from './account/account-words-german.ts';
import { addWebsiteWordsGerman } from './add-website/add-website-words-german.ts';
import { headWordsGerman } from './analytics/head/head-words-german.ts';
import { overviewWordsGerman } from './analytics/overview/overview-words-german.ts';
import { funnelsWordsGerman } from './analytics/panels/funnels/funnels-words-german.ts';
import { goalsWordsGerman } from './analytics/panels/goals/goals-words-german.ts';
import { panelsWordsGerman } from './analytics/panels/panels-words-german.ts';
import { reportsWordsGerman } from './analytics/panels/reports-words-german.ts';
import { segmentsWordsGerman } from './analytics/segments/segments-words-german.ts';
import { viewWordsGerman } from './analytics/view/view-words-german.ts';
import { auditWordsGerman } from './audit/audit-words-german.ts';
import { accessWordsGerman } from './edit-website/access-words-german.ts';
import { editWebsiteWordsGerman } from './edit-website/edit-website-words-german.ts';
import { exclusionWordsGerman } from './edit-website/exclusions/exclusion-words-german.ts';
import { integrateWordsGerman } from './integrate/integrate-words-german.ts';
import { liveWordsGerman } from './live/live-words-german.ts';
import { notFoundWordsGerman } from './not-found/not-found-words-german.ts';
import { qualityWordsGerman } from './quality/quality-words-german.ts';
import { setupWordsGerman } from './setup/setup-words-german.ts';
import { shareWordsGerman } from './share/share-words-german.ts';
import { signInWordsGerman } from './sign-in/sign-in-words-german.ts';
import { usersWordsGerman } from './users/users-words-german.ts';
import { websiteWordsGerman } from './website/website-words-german.ts';
import { websitesWordsGerman } from './websites/websites-words-german.ts';

/** All German words, by the names of their catalogues. */
export const german = {
  access: accessWordsGerman,
  account: accountWordsGerman,
  'add-website': addWebsiteWordsGerman,
  'analytics-funnels': funnelsWordsGerman,
  'analytics-head': headWordsGerman,
  'analytics-overview': overviewWordsGerman,
  'analytics-panels': panelsWordsGerman,
  'analytics-reports': reportsWordsGerman,
  'analytics-view': viewWordsGerman,
  audit: auditWordsGerman,
  'edit-website': editWebsiteWordsGerman,
  exclusions: exclusionWordsGerman,
  faults: faultWordsGerman,
  format: formatWordsGerman,
  goals: goalsWordsGerman,
  integrate: integrateWordsGerman,
  live: liveWordsGerman,
  'not-found': notFoundWordsGerman,
  quality: qualityWordsGerman,
  segments: segmentsWordsGerman,
  setup: setupWordsGerman,
  share: shareWordsGerman,
  shared: sharedWordsGerman,
  'sign-in': signInWordsGerman,
  users: usersWordsGerman,
  website: websiteWordsGerman,
  websites: websitesWordsGerman,
};
