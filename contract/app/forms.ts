import { type Static, type TProperties, Type } from 'typebox';
import { funnelLimits } from '../stats/funnel-limits.ts';
import { goalSchema } from '../stats/questions.ts';
import { trackingLengths } from '../tracking/lengths.ts';
import { exclusionShape, funnelStepShape, languageShape, segmentFiltersShape } from './answers.ts';
import { maxExclusions } from './exclusion-kinds.ts';
import {
  maxContingent,
  maxDryRunLength,
  maxFunnels,
  maxNoteLength,
  maxOriginLength,
  maxReadOrigins,
  passwordLength,
  retentionDays,
} from './limits.ts';

/**
 * The bodies of the settings API. Texts may be longer here than the final values, because they come as they
 * were typed: with whitespace around them, or as a whole URL instead of a domain.
 */

/** Counts UTF-16 code units, unlike JSON Schema, which counts code points. */
const text = (maxLength: number, description: string, more: { format?: 'password' } = {}) =>
  Type.Refine(
    Type.String({ maxLength, description, ...more }),
    (value) => value.length <= maxLength,
    () => 'too long',
  );
const secret = (maxLength: number, description: string) =>
  text(maxLength, description, { format: 'password' });
const whole = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

/** A body with these fields. Unknown ones are refused. */
const form = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

const email = text(300, 'Email address.');
const password = secret(1000, 'Password.');
const newPassword = secret(passwordLength.max, `At least ${passwordLength.min} characters.`);

export const setupForm = form({
  token: secret(100, 'The token in the link that the server prints.'),
  email,
  password: newPassword,
});

export const signInForm = form({ email, password });

export const chooseLanguageForm = form({ language: languageShape });

export const changePasswordForm = form({ currentPassword: password, newPassword });

const name = text(400, 'The name shown in Trackside.');
const domain = text(300, 'The host name of its pages.');
const timezone = text(100, 'IANA timezone name; days begin and end at midnight in this timezone.');
const contingent = Type.Union([
  whole(0, maxContingent, 'Monthly quota: records per month; null for no limit.'),
  Type.Null(),
]);
const retention = Type.Union([
  whole(retentionDays.min, retentionDays.max, 'How many days records are kept; null for forever.'),
  Type.Null(),
]);

const choice = (description: string) => Type.Boolean({ description });

const readOrigins = Type.Array(text(maxOriginLength, 'A scheme and a host, such as https://a.example.'), {
  maxItems: maxReadOrigins,
  description: 'Origins whose pages can read the statistics with a read token.',
});

const exclusions = Type.Array(exclusionShape, {
  maxItems: maxExclusions,
  description: 'All rules for records that are not counted. They replace those that there are.',
});

export const addWebsiteForm = form({ domain, name: Type.Optional(name), timezone, contingent });

export const changeWebsiteForm = form({
  version: whole(1, Number.MAX_SAFE_INTEGER, 'The version of the settings that were read.'),
  name: Type.Optional(name),
  domain: Type.Optional(domain),
  timezone: Type.Optional(timezone),
  contingent: Type.Optional(contingent),
  retentionDays: Type.Optional(retention),
  ignoreTrailingSlash: Type.Optional(choice('Count /about/ and /about as the same page.')),
  ignoreCase: Type.Optional(choice('Count /About and /about as the same page.')),
  ignoreWww: Type.Optional(choice('Count www.example.com and example.com as the same host.')),
  readOrigins: Type.Optional(readOrigins),
  exclusions: Type.Optional(exclusions),
});

export const exclusionsForm = form({ exclusions });

export const deleteWebsiteForm = form({ confirm: text(300, 'The domain, to confirm the deletion.') });

export const regenerateKeyForm = form({
  keepOldHours: Type.Union([Type.Literal(0), Type.Literal(24)], {
    description: 'How long the old key keeps working.',
  }),
});

export const shareForm = form({
  isOn: Type.Boolean({ description: 'Whether anyone with the link can see the dashboard.' }),
  renew: Type.Optional(Type.Boolean({ description: 'Create a new link; the previous one stops working.' })),
});

export const addTokenForm = form({ name: text(400, 'What the token is for.') });

export const personForm = form({
  clientId: secret(trackingLengths.clientId, 'As it was sent in Metrics.Identify.ClientId.'),
});

export const testViewForm = form({
  userAgent: text(trackingLengths.userAgent, 'Of the browser that asks for the test.'),
  language: text(2, 'Two letters, such as en.'),
});

export const dryRunForm = form({
  kind: Type.Union([Type.Literal('page_view'), Type.Literal('event')], {
    description: 'Which of the two tracking endpoints the body is for.',
  }),
  body: text(maxDryRunLength, 'The body as a backend would send it: JSON.'),
});

export const loadDemoForm = form({ days: whole(1, 365, 'Days up to today.') });

export const addNoteForm = form({
  day: text(30, "A day in the website's timezone, such as 2026-11-03."),
  text: text(1000, `One line of at most ${maxNoteLength} characters.`),
});

/** The same limits as for the question that a funnel becomes, so that every saved funnel can be asked. */
const { minSteps, maxSteps, minDays, maxDays } = funnelLimits;

export const addFunnelForm = form({
  name: text(400, 'The name of the funnel.'),
  steps: Type.Array(funnelStepShape, { minItems: minSteps, maxItems: maxSteps }),
  withinDays: Type.Union([
    whole(
      minDays,
      maxDays,
      'Days from the first step to the last, for visitors with a ClientId; null: within one visit.',
    ),
    Type.Null(),
  ]),
});

const segmentName = text(400, 'The name of the segment.');

export const addSegmentForm = form({
  name: segmentName,
  filters: segmentFiltersShape,
  isPersonal: choice('Only for you. Only admins can save one for everybody.'),
});

export const changeSegmentForm = form({
  name: Type.Optional(segmentName),
  filters: Type.Optional(segmentFiltersShape),
});

export const addGoalForm = form({
  name: Type.Optional(text(400, 'The name of the goal; its page or event if absent or empty.')),
  goal: goalSchema,
});

export const changeGoalForm = form({
  name: Type.Optional(text(400, 'The name of the goal; its page or event if empty.')),
  goal: Type.Optional(goalSchema),
});

export const arrangeFunnelsForm = form({
  ids: Type.Array(whole(1, Number.MAX_SAFE_INTEGER, 'Id of a funnel.'), {
    maxItems: maxFunnels,
    description: 'All funnels of the website, in the order in which they are shown.',
  }),
});

const role = Type.Union([Type.Literal('admin'), Type.Literal('viewer')], {
  description: 'What the user can do.',
});
const websites = Type.Array(whole(1, 0xffff_ffff, 'Id of a website.'), {
  maxItems: 10_000,
  description: 'Websites that a viewer can see; ignored for an admin.',
});

export const addUserForm = form({
  email,
  password: newPassword,
  role,
  websites: Type.Optional(websites),
});

export const changeUserForm = form({
  role: Type.Optional(role),
  websites: Type.Optional(websites),
  password: Type.Optional(newPassword),
});

export type SetupForm = Static<typeof setupForm>;
export type SignInForm = Static<typeof signInForm>;
export type ChooseLanguageForm = Static<typeof chooseLanguageForm>;
export type ChangePasswordForm = Static<typeof changePasswordForm>;
export type AddWebsiteForm = Static<typeof addWebsiteForm>;
export type ChangeWebsiteForm = Static<typeof changeWebsiteForm>;
export type ExclusionsForm = Static<typeof exclusionsForm>;
export type RegenerateKeyForm = Static<typeof regenerateKeyForm>;
export type ShareForm = Static<typeof shareForm>;
export type TestViewForm = Static<typeof testViewForm>;
export type DryRunForm = Static<typeof dryRunForm>;
export type AddNoteForm = Static<typeof addNoteForm>;
export type AddFunnelForm = Static<typeof addFunnelForm>;
export type AddSegmentForm = Static<typeof addSegmentForm>;
export type ChangeSegmentForm = Static<typeof changeSegmentForm>;
export type AddGoalForm = Static<typeof addGoalForm>;
export type ChangeGoalForm = Static<typeof changeGoalForm>;
export type ArrangeFunnelsForm = Static<typeof arrangeFunnelsForm>;
export type AddUserForm = Static<typeof addUserForm>;
export type ChangeUserForm = Static<typeof changeUserForm>;
