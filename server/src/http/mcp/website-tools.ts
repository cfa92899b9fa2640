import { dimensions } from '@trackside/contract/stats/dimensions.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import { metrics } from '@trackside/contract/stats/metrics.ts';
import { comparisonNames, periodNames } from '@trackside/contract/stats/periods.ts';
import {
  botQuestionSchema,
  funnelQuestionSchema,
  goalsQuestionSchema,
  nothingSchema,
  pathsQuestionSchema,
  questionSchema,
  retentionQuestionSchema,
} from '@trackside/contract/stats/questions.ts';

/** A tool that answers one kind of question about the website. */
export type WebsiteTool = { title: string; description: string; schema: object };

export const websiteTools: Readonly<Record<StatsKind, WebsiteTool>> = {
  query: {
    title: 'Count visitors, visits, page views and events',
    description:
      'Counts what people did on the website: totals, lists by dimensions such as page, source or country, ' +
      'and series by hour, day, week or month. Filters and comparisons are optional. Bots are excluded.',
    schema: questionSchema,
  },
  funnel: {
    title: 'Count a funnel',
    description:
      'Counts how many people took each step of a funnel, in this order, and how many dropped off before ' +
      'the next. A step is a page or an event.',
    schema: funnelQuestionSchema,
  },
  retention: {
    title: 'Count returning visitors',
    description:
      'Counts, for visitors grouped by the week of their first visit, how many returned in each week after ' +
      'it. Only visitors with a ClientId can be recognized.',
    schema: retentionQuestionSchema,
  },
  paths: {
    title: 'Show previous and next pages',
    description: 'Counts which pages people viewed before a page and after it, within a visit.',
    schema: pathsQuestionSchema,
  },
  goals: {
    title: 'Count conversions',
    description:
      'Counts how many visitors reached each goal of the website, which is a page or an event, and their ' +
      'share of all visitors. To split the conversions of one goal by dimensions, pass it to query as goal.',
    schema: goalsQuestionSchema,
  },
  bots: {
    title: 'Count bots',
    description: 'Counts the records of bots and AI crawlers, which no other tool counts.',
    schema: botQuestionSchema,
  },
  live: {
    title: 'Show the last minutes',
    description: 'Shows who is on the website now: visitors of the last 5 minutes, and their latest records.',
    schema: nothingSchema,
  },
};

/** What a question can consist of, for a model that asks for the first time. */
export const vocabulary = {
  metrics,
  dimensions,
  periods: {
    names: periodNames,
    days: 'A number of days up to today, such as "30d".',
    span: 'Two days or minutes at the website: { "from": "2026-03-01", "to": "2026-03-31" }.',
  },
  comparisons: comparisonNames,
};

/** Leaves out what `describe` explains once, because models pay for every word of a schema. */
export function toInputSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toInputSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, description, ...members } = schema as { $id?: string; description?: string };
  const isExplained = $id === 'Dimension' || $id === 'Metric';
  return {
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, toInputSchema(value)])),
    ...(description !== undefined && !isExplained && { description }),
  };
}
