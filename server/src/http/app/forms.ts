import {
  addFunnelForm,
  addGoalForm,
  addNoteForm,
  addSegmentForm,
  addWebsiteForm,
  changeGoalForm,
  changeSegmentForm,
  changeWebsiteForm,
  exclusionsForm,
} from '@trackside/contract/app/forms.ts';
import { parseGoalName } from '../../control/websites/goals.ts';
import { parseNoteText } from '../../control/websites/notes.ts';
import { checkContingent } from '../../control/websites/parse-contingent.ts';
import { parseDay } from '../../control/websites/parse-day.ts';
import { parseDomain } from '../../control/websites/parse-domain.ts';
import { parseExclusions } from '../../control/websites/parse-exclusions.ts';
import { parseReadOrigins } from '../../control/websites/parse-read-origins.ts';
import { checkRetention } from '../../control/websites/parse-retention.ts';
import { parseTimezone } from '../../control/websites/parse-timezone.ts';
import { parseWebsiteName } from '../../control/websites/parse-website-name.ts';
import { parseFunnelName } from '../../control/websites/saved-funnels.ts';
import { parseSegmentName } from '../../control/websites/saved-segments.ts';
import type { Form } from './read-form.ts';
import { readFunnelSteps } from './read-funnel-steps.ts';
import { readGoalTarget, readSegmentFilters } from './read-saved-question.ts';

const website = {
  domain: parseDomain,
  name: parseWebsiteName,
  timezone: parseTimezone,
  contingent: checkContingent,
};

/** Forms with fields that need more checks than their schema. */
export const addWebsiteBody: Form<typeof addWebsiteForm> = { schema: addWebsiteForm, parse: website };
export const changeWebsiteBody: Form<typeof changeWebsiteForm> = {
  schema: changeWebsiteForm,
  parse: {
    ...website,
    retentionDays: checkRetention,
    readOrigins: parseReadOrigins,
    exclusions: parseExclusions,
  },
};
export const exclusionsBody: Form<typeof exclusionsForm> = {
  schema: exclusionsForm,
  parse: { exclusions: parseExclusions },
};
export const addNoteBody: Form<typeof addNoteForm> = {
  schema: addNoteForm,
  parse: { day: parseDay, text: parseNoteText },
};
export const addFunnelBody: Form<typeof addFunnelForm> = {
  schema: addFunnelForm,
  parse: { name: parseFunnelName },
  read: { steps: readFunnelSteps },
};
export const addSegmentBody: Form<typeof addSegmentForm> = {
  schema: addSegmentForm,
  parse: { name: parseSegmentName },
  read: { filters: readSegmentFilters },
};
export const changeSegmentBody: Form<typeof changeSegmentForm> = {
  schema: changeSegmentForm,
  parse: { name: parseSegmentName },
  read: { filters: readSegmentFilters },
};
export const changeGoalBody: Form<typeof changeGoalForm> = {
  schema: changeGoalForm,
  parse: { name: parseGoalName },
  read: { goal: readGoalTarget },
};

export const addGoalBody: Form<typeof addGoalForm> = {
  schema: addGoalForm,
  parse: { name: parseGoalName },
  read: { goal: readGoalTarget },
};
