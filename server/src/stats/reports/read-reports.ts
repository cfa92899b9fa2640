import type { Period } from '@trackside/contract/calendar/period.ts';
import { funnelLimits } from '@trackside/contract/stats/funnel-limits.ts';
import {
  eventStepSchema,
  type FunnelStep,
  funnelQuestionSchema,
  pageStepSchema,
  parameterSchema,
  pathsQuestionSchema,
  retentionQuestionSchema,
  withinSchema,
} from '@trackside/contract/stats/questions.ts';
import { QuestionError } from '../question/question-error.ts';
import { readPage } from '../question/read-address.ts';
import { type QuestionContext, readPeriod } from '../question/read-period.ts';
import { readFilters } from '../question/read-question.ts';
import { createReader, readList, readObject, readText } from '../question/read-value.ts';
import type { FunnelInput } from './ask-funnel.ts';
import type { PathsInput } from './ask-paths.ts';
import type { RetentionInput } from './ask-retention.ts';

const readWithinDays = createReader(withinSchema.properties.days);
const readPathsSteps = createReader(pathsQuestionSchema.properties.steps);
const readPathsLimit = createReader(pathsQuestionSchema.properties.limit);

export function readFunnel(body: unknown, context: QuestionContext): FunnelInput {
  const asked = readObject('Question', body, funnelQuestionSchema);
  const { minSteps, maxSteps } = funnelLimits;
  const steps = readList('steps', asked.steps, maxSteps, readStep).map((step) =>
    'page' in step ? { page: readPage(step.page, context.addressRules) } : step,
  );
  if (steps.length < minSteps)
    throw new QuestionError(`steps: expected ${minSteps} to ${maxSteps} steps, got ${steps.length}`);
  const input = {
    period: readDays(asked.period, context),
    filters: readFilters(asked, context),
    steps,
  };
  if (asked.within === undefined || asked.within === 'visit') return input;
  const { days } = readObject('within', asked.within, withinSchema);
  return { ...input, within: { days: readWithinDays('within.days', days) } };
}

function readStep(path: string, value: unknown): FunnelStep {
  const asked = readObject(path, value, pageStepSchema, eventStepSchema);
  if ((asked.page === undefined) === (asked.event === undefined))
    throw new QuestionError(
      `${path}: expected either page or event, got ${asked.page === undefined ? 'neither' : 'both'}`,
    );
  if (asked.event === undefined) return { page: readText(`${path}.page`, asked.page) };
  const event = readText(`${path}.event`, asked.event);
  if (asked.parameter === undefined) return { event };
  const parameter = readObject(`${path}.parameter`, asked.parameter, parameterSchema);
  return {
    event,
    parameter: {
      name: readText(`${path}.parameter.name`, parameter.name),
      value: readText(`${path}.parameter.value`, parameter.value),
    },
  };
}

export function readRetention(body: unknown, context: QuestionContext): RetentionInput {
  const asked = readObject('Question', body, retentionQuestionSchema);
  return { period: readDays(asked.period ?? '90d', context), filters: readFilters(asked, context) };
}

export function readPaths(body: unknown, context: QuestionContext): PathsInput {
  const asked = readObject('Question', body, pathsQuestionSchema);
  return {
    period: readDays(asked.period, context),
    filters: readFilters(asked, context),
    page: readPage(readText('page', asked.page), context.addressRules),
    steps: readPathsSteps('steps', asked.steps ?? 2),
    limit: readPathsLimit('limit', asked.limit ?? 10),
  };
}

/** Reads the period of a report, which has to be whole days. */
function readDays(value: unknown, context: QuestionContext): Period {
  const period = readPeriod('period', value ?? '30d', context);
  if (period.fromTime !== undefined) throw new QuestionError('period: expected whole days, got minutes');
  return period;
}
