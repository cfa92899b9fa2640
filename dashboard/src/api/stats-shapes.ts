/** What the stats API takes and answers: its own definitions, of which only the types get here. */

import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Answer, AnswerRow } from '../../../server/src/stats/answer/ask-question.ts';
import type { WithAsOf } from '../../../server/src/stats/create-statistics.ts';
import type { DimensionName } from '../../../server/src/stats/question/dimensions.ts';
import type { MetricName } from '../../../server/src/stats/question/metrics.ts';
import type { Filter, Key } from '../../../server/src/stats/question/question.ts';
import type { Bots } from '../../../server/src/stats/reports/ask-bots.ts';
import type { FunnelResult, FunnelStep } from '../../../server/src/stats/reports/ask-funnel.ts';
import type { PathsResult } from '../../../server/src/stats/reports/ask-paths.ts';
import type { RetentionResult } from '../../../server/src/stats/reports/ask-retention.ts';

export type { AnswerRow, DimensionName, Filter, FunnelStep, Interval, Key, MetricName, Period };

/** A name that the server knows, or the first and last day (or minute, `2026-11-03T14:05`) at the website. */
export type AskedPeriod = string | { from: string; to: string };

type Scope = { period: AskedPeriod; filters?: readonly Filter[] };

/** The questions, by the path under /api/stats/. */
export type Questions = {
  query: Scope & {
    interval?: Interval;
    metrics?: readonly MetricName[];
    dimensions?: readonly (DimensionName | Key)[];
    goal?: string;
    compare?: 'previousPeriod' | 'previousYear' | { from: string; to: string };
    order?: readonly { by: MetricName | 'dimension'; descending?: boolean }[];
    limit?: number;
    offset?: number;
  };
  bots: {
    period: AskedPeriod;
    dimensions?: readonly ('bot' | 'page' | 'host' | 'day')[];
    bot?: string;
    page?: string;
    limit?: number;
    offset?: number;
  };
  funnel: Scope & { steps: readonly FunnelStep[]; within?: 'visit' | { days: number } };
  retention: Scope;
  paths: Scope & { page: string; steps?: number; limit?: number };
};

/** What they are answered with. */
export type Answers = {
  query: WithAsOf<Answer>;
  bots: WithAsOf<Bots>;
  funnel: WithAsOf<FunnelResult & { period: Period }>;
  retention: WithAsOf<RetentionResult & { period: Period }>;
  paths: WithAsOf<PathsResult & { period: Period }>;
};

export type Kind = keyof Questions;
