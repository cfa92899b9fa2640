import { type Static, Type } from 'typebox';
import { type Filter, filtersSchema, goalSchema } from '../stats/questions.ts';
import { oneCode } from '../stats/schema-parts.ts';
import { type ExclusionKind, exclusionKinds } from './exclusion-kinds.ts';
import { appFaults } from './fault-codes.ts';
import { appFaultMeanings } from './fault-meanings.ts';

/** The answers of the settings API. Times are ISO 8601 in UTC. */

const time = (description: string) => Type.String({ format: 'date-time', description });
const orNull = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: Schema,
) => Type.Union([schema, Type.Null()]);

export const roleShape = Type.Union([Type.Literal('admin'), Type.Literal('viewer')], {
  description: 'admin: full access; viewer: the dashboards of the websites they have access to.',
});

/** The language of the pages, as a user has chosen it. */
export const languageShape = Type.Union([Type.Literal('en'), Type.Literal('de'), Type.Null()], {
  description: 'null means that of the browser.',
});

export const setupShape = Type.Object({ isNeeded: Type.Boolean() });

export const sessionShape = Type.Object({
  user: Type.Object({
    id: Type.Integer(),
    email: Type.String(),
    role: roleShape,
    language: languageShape,
  }),
  expiresAt: time('When the session expires, unless it is used before then.'),
});

export const sessionItemShape = Type.Object({
  id: Type.String({ description: 'Identifies the session. It cannot be used to sign in.' }),
  device: orNull(Type.String({ description: 'Browser and system; null if unknown.' })),
  createdAt: time('When the user signed in.'),
  lastUsedAt: time('When it was last used, to the hour.'),
  isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.' }),
});

export const sessionsShape = Type.Object({ sessions: Type.Array(sessionItemShape) });

export const usageShape = Type.Object({
  used: Type.Integer({ description: 'Records accepted this month.' }),
  refused: Type.Integer({
    description: 'Records refused this month because the monthly quota was used up, since the node started.',
  }),
  limit: orNull(Type.Integer({ description: 'The monthly quota; null if unlimited.' })),
  resetsAt: time('The first of next month, UTC.'),
});

/** A website as lists show it. */
export const websiteShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  domain: Type.String({ description: 'As stored in the records, in ASCII.' }),
  shownDomain: Type.String({ description: 'In readable form, such as müller.example.' }),
  timezone: Type.String(),
  contingent: orNull(Type.Integer()),
  createdAt: time('When it was added.'),
  isDeleting: Type.Boolean(),
  usage: usageShape,
});

export const websitesShape = Type.Object({ websites: Type.Array(websiteShape) });

/** One rule for records that are not counted. */
export const exclusionShape = Type.Object(
  {
    kind: Type.Unsafe<ExclusionKind>({
      type: 'string',
      enum: [...exclusionKinds],
      description:
        'What the rule looks at. own-host: as soon as there is one, records of other hosts are excluded.',
    }),
    value: Type.String({ description: 'Its form depends on the kind; a * stands for anything.' }),
  },
  { additionalProperties: false },
);

/** A website as its settings show it, to admins only. */
export const websiteSettingsShape = Type.Object({
  ...websiteShape.properties,
  version: Type.Integer({
    description:
      'Send it back with a change. The change is refused if someone else changed the settings in between.',
  }),
  retentionDays: orNull(Type.Integer({ description: 'null: records are kept forever.' })),
  readOrigins: Type.Array(Type.String(), {
    description: 'Origins whose pages can read the statistics with a read token.',
  }),
  exclusions: Type.Array(exclusionShape, {
    description: 'Which records are answered 200, but neither stored nor counted.',
  }),
  retention: Type.Object({
    lastRunAt: orNull(time('When old records were last removed; null if not since the node started.')),
  }),
  ignoreTrailingSlash: Type.Boolean({ description: 'Whether /about/ and /about count as the same page.' }),
  ignoreCase: Type.Boolean({ description: 'Whether /About and /about count as the same page.' }),
  ignoreWww: Type.Boolean({ description: 'Whether www.example.com and example.com count as the same host.' }),
  key: Type.Object({
    masked: Type.String({ description: 'The first and last four characters.' }),
    createdAt: time('When it was created.'),
    lastUsedAt: orNull(time('Can be a few seconds behind; null if never used.')),
    oldKeyUntil: orNull(time('Until when the previous key still works.')),
  }),
  share: Type.Object({ isOn: Type.Boolean(), path: orNull(Type.String({ description: '/share/…' })) }),
});

export const apiKeyShape = Type.Object({ apiKey: Type.String() });
export const newApiKeyShape = Type.Object({ apiKey: Type.String(), settings: websiteSettingsShape });

export const activityShape = Type.Object({
  visitors: Type.Integer({ description: 'Visitors in the last 24 hours.' }),
  visitorsBefore: Type.Integer({ description: 'Visitors in the 24 hours before those.' }),
  byHour: Type.Array(Type.Integer(), { description: 'Visitors in each of the last 24 hours, oldest first.' }),
});

const listedShape = (description: string) =>
  Type.Array(Type.Object({ value: Type.String(), visitors: Type.Integer() }), { description });

/** The current visitors and what they do. */
export const liveSceneShape = Type.Object({
  asOf: time('Everything up to this time is counted.'),
  visitors: Type.Integer({ description: 'Visitors in the last 5 minutes.' }),
  minutes: Type.Array(
    Type.Object({ minutesAgo: Type.Integer(), visitors: Type.Integer(), pageViews: Type.Integer() }),
    { description: 'The last 30 minutes, oldest first; the last one is still in progress.' },
  ),
  pages: listedShape('At most 10, by visitors of the last 30 minutes.'),
  sources: listedShape('The same for sources; empty for direct.'),
  countries: listedShape('The same for countries, as ISO codes; empty if unknown.'),
  latest: Type.Array(
    Type.Object({
      at: time('When it was received.'),
      page: Type.String({ description: 'The path.' }),
      event: orNull(Type.String({ description: 'null for a page view.' })),
      country: Type.String(),
      source: Type.String(),
      browser: Type.String(),
      device: Type.String(),
    }),
    { description: 'At most 20 records of the last 30 minutes, newest first.' },
  ),
});

/** What a public link shows besides numbers. */
export const shareShape = Type.Object({
  website: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    shownDomain: Type.String(),
    timezone: Type.String(),
  }),
  demoRecords: Type.Integer({ description: 'The demo records that the website has; 0 without demo data.' }),
});

const trackingCode = Type.Unsafe<number>({
  type: 'integer',
  enum: [200, 400, 429, 503],
  description: 'The HTTP status of the response.',
});

const requestKind = Type.Union([Type.Literal('page_view'), Type.Literal('event'), Type.Literal('batch')], {
  description: 'A record of one kind, from a request or a batch; `batch` for a batch refused as a whole.',
});

const summaryShape = Type.Object({
  page: Type.String({ description: 'The path.' }),
  event: orNull(Type.String()),
  parameters: Type.Integer(),
  browser: Type.String(),
  os: Type.String(),
  country: Type.String({ description: 'ISO code; empty if unknown.' }),
  source: Type.String({ description: 'Empty for direct.' }),
  bot: orNull(Type.String({ description: 'The name of the bot; null for a person.' })),
  hasClientId: Type.Boolean(),
});

/** One request to the tracking endpoints. Values are masked, and there is no IP address and no ClientId. */
export const recentRequestShape = Type.Object({
  at: time('When it was answered.'),
  kind: requestKind,
  code: trackingCode,
  message: Type.String({ description: 'The message of the response.' }),
  isRepeat: Type.Optional(
    Type.Boolean({
      description:
        'Whether it repeats an accepted record, by its Idempotency-Key, and is not counted again. ' +
        'Absent if not.',
    }),
  ),
  isExcluded: Type.Optional(
    Type.Boolean({ description: 'Whether a rule of the website excluded it. Absent if not.' }),
  ),
  understood: Type.Union([summaryShape, Type.Null()]),
  shape: Type.Unknown({
    description: 'The fields of a refused body, with the type and length of each value instead of the value.',
  }),
});

export const recentRequestsShape = Type.Object({
  requests: Type.Array(recentRequestShape),
  skipped: Type.Integer({
    description: 'Requests that came in too fast to be shown, since the node started.',
  }),
  excluded: Type.Integer({
    description: "Requests that the website's rules excluded, since the node started.",
  }),
  unauthorized: Type.Union([
    Type.Object(
      {
        at: time('When it was answered.'),
        kind: requestKind,
        message: Type.String({ description: 'The message of the response.' }),
      },
      { description: 'The last request that any sender made with an unknown API key, or without one.' },
    ),
    Type.Null(),
  ]),
});

export const readTokenShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  createdAt: time('When it was created.'),
  lastUsedAt: orNull(time('null if never.')),
});

export const readTokensShape = Type.Object({ tokens: Type.Array(readTokenShape) });
export const newReadTokenShape = Type.Object({ ...readTokenShape.properties, token: Type.String() });

export const erasedShape = Type.Object({ records: Type.Integer() });

export const userShape = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  role: roleShape,
  createdAt: time('When it was added.'),
  lastSignInAt: orNull(time('null if never.')),
  websites: Type.Array(Type.Integer(), {
    description: 'Ids of the websites that a viewer can see; empty for admins.',
  }),
});

export const usersShape = Type.Object({ users: Type.Array(userShape) });

export const auditEntryShape = Type.Object({
  id: Type.Integer(),
  at: time('When.'),
  actor: Type.String({ description: 'An email address, or "command line".' }),
  action: Type.String({ description: 'Such as website.key-regenerated.' }),
  websiteId: orNull(Type.Integer()),
  subject: Type.String({ description: 'What the action was about.' }),
  detail: Type.Record(Type.String(), Type.Unknown()),
});

export const auditShape = Type.Object({ entries: Type.Array(auditEntryShape), hasMore: Type.Boolean() });

/** Something to remember about a day, shown on the chart. */
export const noteShape = Type.Object({
  id: Type.Integer(),
  day: Type.String({ description: "A day in the website's timezone, such as 2026-11-03." }),
  text: Type.String(),
  author: Type.String({ description: 'An email address.' }),
  createdAt: time('When it was written.'),
});

export const notesShape = Type.Object({ notes: Type.Array(noteShape) });

/** Forms have these parts too, and refuse other members. */
const noOthers = { additionalProperties: false };

export const funnelParameterShape = Type.Object({ name: Type.String(), value: Type.String() }, noOthers);

export const funnelStepShape = Type.Union([
  Type.Object({ page: Type.String({ description: 'A path; a * at the end matches anything.' }) }, noOthers),
  Type.Object(
    {
      event: Type.String({ description: 'The name of the event.' }),
      parameter: Type.Optional(funnelParameterShape),
    },
    noOthers,
  ),
]);

/** A saved funnel. Its numbers come from /api/stats/funnel. */
export const funnelShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  steps: Type.Array(funnelStepShape),
  withinDays: orNull(Type.Integer({ description: 'null: all steps within one visit.' })),
});

/** The same form as in questions to the statistics. */
export const segmentFiltersShape = Type.Unsafe<readonly Filter[]>({ ...filtersSchema, minItems: 1 });

export const funnelsShape = Type.Object({ funnels: Type.Array(funnelShape) });

/** A set of filters with a name. Questions to the statistics can name it by its id. */
export const segmentShape = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  filters: segmentFiltersShape,
  isPersonal: Type.Boolean({ description: 'Only for the user who saved it; otherwise for the website.' }),
});

export const segmentsShape = Type.Object({ segments: Type.Array(segmentShape) });

/** A page or an event that is marked as a goal. Its numbers come from /api/stats/goals. */
export const goalShape = Type.Object({
  id: Type.Integer(),
  name: orNull(Type.String({ description: 'null: it is shown by its page or event.' })),
  goal: goalSchema,
});

export const goalsShape = Type.Object({ goals: Type.Array(goalShape) });

export const deletionShape = Type.Object({
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  deletedRecords: Type.Integer(),
  allRecords: Type.Integer(),
});

/** Visitors that the server has made up, to show what the dashboard looks like with data. */
export const demoShape = Type.Object({
  state: Type.Union(
    [
      Type.Literal('none'),
      Type.Literal('loading'),
      Type.Literal('loaded'),
      Type.Literal('removing'),
      Type.Literal('failed'),
    ],
    { description: 'failed: it stopped in the middle. The log says why; you can remove what was loaded.' },
  ),
  done: Type.Number({ description: 'How much of it is loaded, from 0 to 1.' }),
  records: Type.Integer({ description: 'The demo records that the website has.' }),
});

/** The answer to a test page view, as a backend would get it. */
export const testViewShape = Type.Object({ code: trackingCode, message: Type.String() });

/** How a record would be answered, and what was understood of it. */
export const dryRunShape = Type.Object({
  code: trackingCode,
  message: Type.String(),
  isExcluded: Type.Boolean({ description: 'Whether a rule of the website excludes it.' }),
  understood: Type.Union([
    Type.Object({
      ...summaryShape.properties,
      occurredAt: time('When it happened.'),
      day: Type.String({ description: "The website's local day that it would count on." }),
      host: Type.String(),
      query: Type.String({ description: 'As it would be stored, with private values masked.' }),
      channel: Type.String(),
      device: Type.String(),
    }),
    Type.Null(),
  ]),
});

/** What rules would have excluded in the last 24 hours. */
export const excludedShape = Type.Object({
  records: Type.Integer({ description: 'All stored records of the last 24 hours.' }),
  excluded: Type.Integer({ description: 'Those that at least one of the rules would have excluded.' }),
  rules: Type.Array(
    Type.Object({
      ...exclusionShape.properties,
      records: orNull(
        Type.Integer({
          description:
            'Records that the rule would have excluded; those of own-host count together. null for networks ' +
            'and user agents, which are not stored.',
        }),
      ),
    }),
  ),
});

export const faultCodeShape = oneCode(appFaults, appFaultMeanings);

/** Every answer that is not a success. */
export const faultShape = Type.Object({
  code: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
  fault: faultCodeShape,
  message: Type.String(),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'What is wrong with each field of the form.' }),
  ),
  current: Type.Optional(
    Type.Union([websiteSettingsShape, Type.Null()], {
      description: 'For a conflict: the current settings; null if the website is gone.',
    }),
  ),
});

export type Role = Static<typeof roleShape>;
export type SetupAnswer = Static<typeof setupShape>;
export type SessionAnswer = Static<typeof sessionShape>;
export type SessionItem = Static<typeof sessionItemShape>;
export type SessionsAnswer = Static<typeof sessionsShape>;
export type UsageAnswer = Static<typeof usageShape>;
export type WebsiteAnswer = Static<typeof websiteShape>;
export type WebsitesAnswer = Static<typeof websitesShape>;
export type WebsiteSettingsAnswer = Static<typeof websiteSettingsShape>;
export type ApiKeyAnswer = Static<typeof apiKeyShape>;
export type NewApiKeyAnswer = Static<typeof newApiKeyShape>;
export type ActivityAnswer = Static<typeof activityShape>;
export type LiveSceneAnswer = Static<typeof liveSceneShape>;
export type ShareAnswer = Static<typeof shareShape>;
export type RecentRequestAnswer = Static<typeof recentRequestShape>;
export type RecentRequestsAnswer = Static<typeof recentRequestsShape>;
export type UnknownSenderAnswer = NonNullable<RecentRequestsAnswer['unauthorized']>;
export type ReadTokenAnswer = Static<typeof readTokenShape>;
export type ReadTokensAnswer = Static<typeof readTokensShape>;
export type NewReadTokenAnswer = Static<typeof newReadTokenShape>;
export type ErasedAnswer = Static<typeof erasedShape>;
export type UserAnswer = Static<typeof userShape>;
export type UsersAnswer = Static<typeof usersShape>;
export type AuditEntryAnswer = Static<typeof auditEntryShape>;
export type AuditAnswer = Static<typeof auditShape>;
export type NoteAnswer = Static<typeof noteShape>;
export type NotesAnswer = Static<typeof notesShape>;
export type FunnelAnswer = Static<typeof funnelShape>;
export type FunnelsAnswer = Static<typeof funnelsShape>;
export type SegmentAnswer = Static<typeof segmentShape>;
export type SegmentsAnswer = Static<typeof segmentsShape>;
export type GoalAnswer = Static<typeof goalShape>;
export type GoalsAnswer = Static<typeof goalsShape>;
export type DeletionAnswer = Static<typeof deletionShape>;
export type DemoAnswer = Static<typeof demoShape>;
export type TestViewAnswer = Static<typeof testViewShape>;
export type DryRunAnswer = Static<typeof dryRunShape>;
export type ExcludedAnswer = Static<typeof excludedShape>;
export type FaultAnswer = Static<typeof faultShape>;
