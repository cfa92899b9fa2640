import Type, { type Static } from 'typebox';
import type { Period } from '../calendar/period.ts';
import { statsFaults } from './fault-codes.ts';
import { statsFaultMeanings } from './fault-meanings.ts';
import type { StatsKind } from './kinds.ts';
import { maxBatch } from './limits.ts';
import type { MetricName } from './metrics.ts';
import { funnelStepSchema, goalSchema } from './questions.ts';
import { closed, exactly, list, named, oneCode, oneName, oneOf, open, text, whole } from './schema-parts.ts';

/** The answers of the statistics. */

const optional = Type.Optional;
const textsByName = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: text() });
const numbers = Type.Unsafe<Partial<Record<MetricName, number | null>>>({
  type: 'object',
  additionalProperties: { type: ['number', 'null'] },
});
const comparedNumbers = Type.Unsafe<Partial<Record<MetricName, number | null>> | null>({
  type: ['object', 'null'],
  additionalProperties: { type: ['number', 'null'] },
  description: 'Null for an interval of a series that has nothing to compare with.',
});
/** From 0 to 1; null if the whole is zero. */
const share = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** Part of every answer. Everything up to `asOf` is counted. */
const about = {
  website: text(),
  timezone: text(),
  asOf: Type.Unsafe<string>({ type: 'string', format: 'date-time' }),
};
/** An answer without the members that every answer has. */
export type WithoutAbout<Answer> = Omit<Answer, keyof typeof about>;

const daysSchema = Type.Unsafe<Period>(
  closed({ from: text(), to: text(), fromTime: optional(text()), toTime: optional(text()) }),
);

const answerRowSchema = open({
  time: optional(text('Start of the interval, in the local time of the website.')),
  dimensions: textsByName,
  metrics: numbers,
  comparisonTime: optional(text('Start of the interval that this one is compared with.')),
  comparison: optional(comparedNumbers),
});
export type AnswerRow = Static<typeof answerRowSchema>;

const visitorsAreSchema = oneName(['distinct', 'daily', 'mixed'], {
  description:
    'How visitors are counted. `distinct`: unique visitors. `daily`: the sum of the visitors of ' +
    'each day, because nobody has a ClientId to be recognized by on another day. `mixed`: ' +
    'unique visitors with a ClientId, plus the sum of the other visitors of each day.',
});
export type VisitorsAre = Static<typeof visitorsAreSchema>;

const comparisonDataFromSchema = text(
  "The day of the website's first record, if the comparison begins before it. The comparison is then " +
    'incomplete, and says nothing about a change.',
);

export const countsSchema = named(
  'Counts',
  open({
    ...about,
    period: daysSchema,
    comparison: optional(daysSchema),
    comparisonDataFrom: optional(comparisonDataFromSchema),
    /** The number of all rows, of which `rows` is one page. */
    totalRows: whole(0),
    answeredFrom: oneName(['rollups', 'visits']),
    /** Present if visitors, or numbers per visitor, are asked for. */
    visitorsAre: optional(visitorsAreSchema),
    rows: list(answerRowSchema),
  }),
);

export const liveSchema = named(
  'Live',
  open({
    ...about,
    visitors: whole(0, undefined, { description: 'Visitors with a record in the last 5 minutes.' }),
    // The last minute is still in progress.
    minutes: list(open({ minutesAgo: whole(0), visitors: whole(0), pageViews: whole(0) }), {
      description: 'Each of the last 30 minutes, oldest first.',
    }),
  }),
);

const lastAtSchema = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Local time of the website; null if there was none.',
});
export const botsSchema = named(
  'Bots',
  open({
    ...about,
    period: daysSchema,
    totalRows: whole(0),
    rows: list(open({ dimensions: textsByName, records: whole(0), days: whole(0), lastAt: lastAtSchema })),
  }),
);

const reachedStepSchema = open({
  step: funnelStepSchema,
  visitors: whole(0),
  shareOfFirst: share,
  /** Also null for the first step. */
  shareOfPrevious: share,
});
export const funnelSchema = named(
  'Funnel',
  open({ ...about, period: daysSchema, visitorsAre: visitorsAreSchema, steps: list(reachedStepSchema) }),
);

const cohortSchema = open({
  week: text('The Monday of the week in which these visitors were first seen. It can be before the period.'),
  visitors: whole(0),
  // Up to the week in which the period ends. The first week has all of them.
  weeks: Type.Unsafe<readonly number[]>({
    type: 'array',
    items: whole(0),
    description: 'How many visited in that week, the next, …',
  }),
});
export const retentionSchema = named(
  'Retention',
  open({
    ...about,
    period: daysSchema,
    /** Visitors who cannot be recognized. If all visitors are like that, the cohorts say nothing. */
    visitorsWithoutClientId: whole(0),
    cohorts: list(cohortSchema),
  }),
);

export const pathsStepSchema = named(
  'PathsStep',
  open({
    /** Step 1 is next to the page. */
    step: whole(1),
    /** Visits that have a page at this step, of all pages, listed or not. */
    visits: whole(0),
    /** Most frequent first. */
    pages: list(open({ page: text(), visits: whole(0) })),
  }),
);
export const pathsSchema = named(
  'Paths',
  open({
    ...about,
    period: daysSchema,
    /**
     * Visits with a page view of the page. The first step before it has all visits except the entries, and
     * the first step after it all except the exits.
     */
    visits: whole(0),
    /** Visits that began with the page. */
    entries: whole(0),
    /** Visits that had no other page after it. */
    exits: whole(0),
    before: list(pathsStepSchema),
    after: list(pathsStepSchema),
  }),
);

const reachedGoalSchema = open({
  id: whole(1),
  name: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The name of the goal; null if it has none.',
  }),
  goal: goalSchema,
  conversions: whole(0, undefined, { description: 'Visitors with a visit in which the goal was reached.' }),
  conversionRate: share,
  comparison: optional(open({ conversions: whole(0), conversionRate: share })),
  trend: optional(
    list(open({ time: text('Start of the interval, at the website.'), conversions: whole(0) })),
  ),
});
export const goalsSchema = named(
  'Goals',
  open({
    ...about,
    period: daysSchema,
    comparison: optional(daysSchema),
    comparisonDataFrom: optional(comparisonDataFromSchema),
    visitorsAre: visitorsAreSchema,
    visitors: whole(0, undefined, { description: 'All visitors. The rates are shares of this number.' }),
    goals: list(reachedGoalSchema, { description: 'In the order in which they were added.' }),
  }),
);

export const answerSchemas = {
  query: countsSchema,
  live: liveSchema,
  bots: botsSchema,
  funnel: funnelSchema,
  retention: retentionSchema,
  paths: pathsSchema,
  goals: goalsSchema,
} satisfies Record<StatsKind, unknown>;

/** The answers to questions, by kind. */
export type Answers = { [Kind in StatsKind]: Static<(typeof answerSchemas)[Kind]> };

export const faultCodeSchema = named('StatsFaultCode', oneCode(statsFaults, statsFaultMeanings));

/** Every answer that is not a success, to any question. */
export const statsFaultSchema = named(
  'StatsFault',
  open({
    code: whole(400, 599, { description: 'The HTTP status.' }),
    fault: faultCodeSchema,
    message: text(),
  }),
);

const lastIndex = maxBatch - 1;
const answeredLineSchema = closed({
  index: whole(0, lastIndex, { description: 'Position of the question, starting at 0.' }),
  code: exactly(200),
  answer: Type.Unsafe<Answers[StatsKind]>({ anyOf: Object.values(answerSchemas) }),
});
const failedLineSchema = closed({
  index: whole(0, lastIndex),
  code: Type.Unsafe<number>({ type: 'integer', enum: [400, 422, 503] }),
  fault: faultCodeSchema,
  message: text(),
  retryAfterSeconds: optional(whole(0)),
});
export const batchLineSchema = named('BatchLine', oneOf([answeredLineSchema, failedLineSchema]));
/** One line of the answer to several questions. */
export type BatchLine = Static<typeof batchLineSchema>;
