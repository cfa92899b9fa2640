import type { Period } from '@trackside/contract/calendar/period.ts';
import {
  type QuestionContext,
  QuestionError,
  readFilters,
  readList,
  readNumber,
  readObject,
  readPeriod,
  readText,
} from '../question/read-question.ts';
import { type FunnelInput, type FunnelStep, funnelLimits } from './ask-funnel.ts';
import { type PathsInput, pathsLimits } from './ask-paths.ts';
import type { RetentionInput } from './ask-retention.ts';

export function readFunnel(body: unknown, context: QuestionContext): FunnelInput {
  const asked = readObject('Question', body, ['period', 'filters', 'steps', 'within']);
  const { minSteps, maxSteps, minDays, maxDays } = funnelLimits;
  const steps = readList('steps', asked.steps, maxSteps, readStep);
  if (steps.length < minSteps)
    throw new QuestionError(`steps: expected ${minSteps} to ${maxSteps} of them, got ${steps.length}`);
  const input = { period: readDays(asked.period, context), filters: readFilters(asked.filters), steps };
  if (asked.within === undefined || asked.within === 'visit') return input;
  const { days } = readObject('within', asked.within, ['days']);
  return { ...input, within: { days: readNumber('within.days', days, minDays, maxDays) } };
}

function readStep(path: string, value: unknown): FunnelStep {
  const asked = readObject(path, value, ['page', 'event', 'parameter']);
  if ((asked.page === undefined) === (asked.event === undefined))
    throw new QuestionError(
      `${path}: expected either page or event, got ${asked.page === undefined ? 'neither' : 'both'}`,
    );
  if (asked.event === undefined) return { page: readText(`${path}.page`, asked.page) };
  const event = readText(`${path}.event`, asked.event);
  if (asked.parameter === undefined) return { event };
  const parameter = readObject(`${path}.parameter`, asked.parameter, ['name', 'value']);
  return {
    event,
    parameter: {
      name: readText(`${path}.parameter.name`, parameter.name),
      value: readText(`${path}.parameter.value`, parameter.value),
    },
  };
}

export function readRetention(body: unknown, context: QuestionContext): RetentionInput {
  const asked = readObject('Question', body, ['period', 'filters']);
  return { period: readDays(asked.period ?? '90d', context), filters: readFilters(asked.filters) };
}

export function readPaths(body: unknown, context: QuestionContext): PathsInput {
  const asked = readObject('Question', body, ['period', 'filters', 'page', 'steps', 'limit']);
  const { minSteps, maxSteps } = pathsLimits;
  return {
    period: readDays(asked.period, context),
    filters: readFilters(asked.filters),
    page: readText('page', asked.page),
    steps: readNumber('steps', asked.steps ?? 2, minSteps, maxSteps),
    limit: readNumber('limit', asked.limit ?? 10, 1, 100),
  };
}

/** Reports are about whole days. */
function readDays(value: unknown, context: QuestionContext): Period {
  const period = readPeriod('period', value ?? '30d', context);
  if (period.fromTime !== undefined) throw new QuestionError('period: expected whole days, got minutes');
  return period;
}
