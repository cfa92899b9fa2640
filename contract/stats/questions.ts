import Type, { type Static } from 'typebox';
import { intervals } from '../calendar/intervals.ts';
import { botDimensions, dimensions } from './dimensions.ts';
import { funnelLimits } from './funnel-limits.ts';
import { type StatsKind, statsKindNames } from './kinds.ts';
import {
  defaultRows,
  maxBatch,
  maxDimensions,
  maxFilters,
  maxLastMinutes,
  maxOffset,
  maxRows,
  maxValues,
  pathsLimits,
} from './limits.ts';
import { metrics } from './metrics.ts';
import type { Operator } from './operators.ts';
import { comparisonNames, periodNames } from './periods.ts';
import { closed, exactly, list, named, oneName, oneOf, oneOfTable, text, whole } from './schema-parts.ts';

/** The questions to the statistics: the body of POST /api/stats/<kind>, and of /api/stats/batch. */

const optional = Type.Optional;

/** Two local days of the website, or two of its minutes. */
export const spanSchema = closed({
  from: text('A local day, or a minute such as 2026-03-31T14:00.'),
  to: text('The last day or minute, included.'),
});
/** Two local days to compare with, as far as the period of the question has gone by. */
export const comparedSpanSchema = closed({
  from: spanSchema.properties.from,
  to: spanSchema.properties.to,
  soFar: Type.Unsafe<boolean>({
    type: 'boolean',
    description: 'Whether totals of a period that has not ended are compared with the same part of this one.',
  }),
});
export const minutesSchema = closed({ lastMinutes: whole(1, maxLastMinutes) });
export const periodSchema = named(
  'Period',
  oneOf([
    oneName(periodNames, {
      description:
        '`24h` is the last 1,440 minutes, `12m` the last 12 whole months. Weeks begin on Monday. `thisWeek`, ' +
        '`thisMonth`, `thisQuarter` and `thisYear` end today.',
    }),
    Type.Unsafe<`${number}d`>({
      type: 'string',
      pattern: '^\\d{1,4}d$',
      description: 'A number of days up to and including today.',
    }),
    spanSchema,
    minutesSchema,
  ]),
);
export type AskedPeriod = Static<typeof periodSchema>;

export const dimensionSchema = named('Dimension', oneOfTable(dimensions));
export const metricSchema = named('Metric', oneOfTable(metrics));
export const intervalSchema = oneName(intervals, {
  description:
    'Without dimensions: a series with every interval of the period. With dimensions: ' +
    'a row for each value in each interval in which it occurred.',
});

/** One of the dimensions. `of` selects the parameter whose values are meant. */
export const keySchema = closed({ dimension: dimensionSchema, of: optional(text()) });
export type Key = Static<typeof keySchema>;

const operands = {
  is: text(),
  isNot: text(),
  contains: text(),
  anyOf: Type.Unsafe<readonly string[]>({ type: 'array', items: text(), minItems: 1, maxItems: maxValues }),
} satisfies Record<Operator, unknown>;
type Operands = { [Name in Operator]: Static<(typeof operands)[Name]> };

const filterMembers = closed({
  dimension: dimensionSchema,
  of: optional(text('The parameter whose values to use.')),
  is: optional(operands.is),
  isNot: optional(operands.isNot),
  contains: optional(operands.contains),
  anyOf: optional(operands.anyOf),
});
export const filterSchema = named('Filter', {
  ...filterMembers,
  description:
    'Has one of is, isNot, contains (any letter case), anyOf. Where values are codes, such as those of ' +
    'countries, is, isNot and anyOf accept only these.',
});
export type Filter = Key & { [Name in Operator]: Pick<Operands, Name> }[Operator];

export const filtersSchema = Type.Unsafe<readonly Filter[]>(list(filterSchema, { maxItems: maxFilters }));
/** The filters of a question. Those of a segment must hold in addition. */
const filtering = {
  filters: optional(filtersSchema),
  segment: optional(
    whole(1, Number.MAX_SAFE_INTEGER, {
      description: 'Id of a saved set of filters, which must match in addition to `filters`.',
    }),
  ),
};

export const goalPageSchema = closed({
  page: text('A path. A * matches any text, even none.'),
});
export const goalEventSchema = closed({ event: text('The name of an event.') });
/** What visitors are meant to do: see a page, or cause an event. */
export const goalSchema = named('Goal', oneOf([goalPageSchema, goalEventSchema]));
export type Goal = Static<typeof goalSchema>;

export const orderSchema = closed({
  by: oneOf([metricSchema, exactly('dimension')]),
  descending: optional(Type.Boolean()),
});

const rows = maxRows.toLocaleString('en-US');
export const limitSchema = whole(1, maxRows);
export const offsetSchema = whole(0, maxOffset);

const compareSchema = oneOf([oneName(comparisonNames), periodSchema, comparedSpanSchema]);

export const questionSchema = named(
  'Question',
  closed({
    period: optional(periodSchema),
    interval: optional(intervalSchema),
    metrics: optional(list(metricSchema, { minItems: 1 })),
    dimensions: optional(list(oneOf([dimensionSchema, keySchema]), { maxItems: maxDimensions })),
    ...filtering,
    goal: optional(
      oneOf([text(), goalSchema], {
        description:
          'For conversions and conversionRate: a page, or an event that the website has sent or that is one ' +
          'of its goals. A text is the name of an event.',
      }),
    ),
    compare: optional(compareSchema),
    order: optional(
      list(orderSchema, {
        description:
          'When absent, by the first metric, descending; with an interval, by time. ' +
          'Refused for a series.',
      }),
    ),
    limit: optional(
      whole(1, maxRows, {
        description:
          `Rows of a list. When absent, ${defaultRows}; with an interval, or as CSV, ${rows}. ` +
          'Without dimensions, the answer is always complete, regardless of the limit.',
      }),
    ),
    offset: optional(
      whole(0, maxOffset, {
        description: 'Rows of a list to skip. Refused without dimensions.',
      }),
    ),
  }),
);

export const nothingSchema = named('Nothing', closed({}));

export const botDimensionSchema = oneName(botDimensions);
export const botQuestionSchema = named(
  'BotQuestion',
  closed({
    period: optional(periodSchema),
    dimensions: optional(list(botDimensionSchema)),
    bot: optional(text()),
    page: optional(text()),
    limit: optional(limitSchema),
    offset: optional(offsetSchema),
  }),
);

export const pageStepSchema = closed({ page: text('A path; a * at the end matches anything.') });
export const parameterSchema = named('FunnelParameter', closed({ name: text(), value: text() }));
export const eventStepSchema = closed({ event: text(), parameter: optional(parameterSchema) });
export const funnelStepSchema = named('FunnelStep', oneOf([pageStepSchema, eventStepSchema]));
/**
 * A page view of a path, where a `*` at the end stands for anything, or an event, optionally with one of its
 * parameters.
 */
export type FunnelStep = Static<typeof funnelStepSchema>;

const { minSteps, maxSteps, minDays, maxDays } = funnelLimits;
export const withinSchema = closed({ days: whole(minDays, maxDays) });
export const funnelQuestionSchema = named(
  'FunnelQuestion',
  closed({
    period: optional(periodSchema),
    ...filtering,
    steps: list(funnelStepSchema, { minItems: minSteps, maxItems: maxSteps }),
    within: optional(
      oneOf([exactly('visit'), withinSchema], {
        description:
          'Within one visit, or, for visitors with a ClientId, within this many days of the first step.',
      }),
    ),
  }),
);

export const retentionQuestionSchema = named(
  'RetentionQuestion',
  closed({ period: optional(periodSchema), ...filtering }),
);

export const pathsQuestionSchema = named(
  'PathsQuestion',
  closed({
    period: optional(periodSchema),
    ...filtering,
    page: text(),
    steps: optional(whole(pathsLimits.minSteps, pathsLimits.maxSteps)),
    limit: optional(whole(1, pathsLimits.maxPages)),
  }),
);

export const goalIntervalSchema = oneName(['day', 'week', 'month'], {
  description: 'Adds the conversions of each interval of the period, as `trend`.',
});
export const goalsQuestionSchema = named(
  'GoalsQuestion',
  closed({
    period: optional(periodSchema),
    ...filtering,
    interval: optional(goalIntervalSchema),
    compare: optional(compareSchema),
  }),
);

const questionSchemas = {
  query: questionSchema,
  live: nothingSchema,
  bots: botQuestionSchema,
  funnel: funnelQuestionSchema,
  retention: retentionQuestionSchema,
  paths: pathsQuestionSchema,
  goals: goalsQuestionSchema,
} satisfies Record<StatsKind, unknown>;

/** The questions by kind. */
export type Questions = { [Kind in StatsKind]: Static<(typeof questionSchemas)[Kind]> };

const batchQuestionSchema = <Kind extends StatsKind>(kind: Kind) =>
  closed({ kind: exactly(kind), question: optional(questionSchemas[kind]) });

/** One of several questions, of any kind. */
export const anyQuestionSchema = closed({
  kind: oneName(statsKindNames),
  question: optional(Type.Unknown()),
});

export const batchSchema = named(
  'Batch',
  closed({
    questions: list(oneOf(statsKindNames.map(batchQuestionSchema)), {
      minItems: 1,
      maxItems: maxBatch,
    }),
  }),
);
