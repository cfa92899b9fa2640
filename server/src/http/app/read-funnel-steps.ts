import { funnelLimits } from '@trackside/contract/stats/funnel-limits.ts';
import type { FunnelStep } from '@trackside/contract/stats/questions.ts';
import { trackingLengths } from '@trackside/contract/tracking/lengths.ts';
import { hasControlCharacters } from '../../control/websites/parse-one-line.ts';
import { OperatorError } from '../../operator-error.ts';

const { minSteps, maxSteps } = funnelLimits;
const { name: maxNameLength, parameterValue: maxValueLength } = trackingLengths;

/** Reads the steps of a funnel from a form, and says which step is wrong and how. */
export function readFunnelSteps(value: unknown): FunnelStep[] {
  if (!Array.isArray(value) || value.length < minSteps || value.length > maxSteps)
    throw new OperatorError(
      `Expected ${minSteps} to ${maxSteps} steps, got ${Array.isArray(value) ? value.length : 'none'}.`,
    );
  return value.map((step, index) => readStep(`Step ${index + 1}`, step));
}

function readStep(where: string, value: unknown): FunnelStep {
  const step = readMembers(where, value, ['page', 'event', 'parameter']);
  if ((step.page === undefined) === (step.event === undefined))
    throw new OperatorError(`${where}: expected a page or an event.`);
  if (step.page !== undefined) {
    if (step.parameter !== undefined)
      throw new OperatorError(`${where}: expected a parameter only for an event, got one for a page.`);
    return { page: readPage(where, step.page) };
  }
  const event = readText(`${where}, event`, step.event, 1, maxNameLength);
  if (step.parameter === undefined) return { event };
  const parameter = readMembers(`${where}, parameter`, step.parameter, ['name', 'value']);
  return {
    event,
    parameter: {
      name: readText(`${where}, parameter`, parameter.name, 1, maxNameLength),
      value: readText(`${where}, value`, parameter.value, 0, maxValueLength),
    },
  };
}

function readPage(where: string, value: unknown): string {
  const page = readText(
    `${where}, page`,
    typeof value === 'string' ? value.trim() : value,
    1,
    maxValueLength,
  );
  if (!page.startsWith('/'))
    throw new OperatorError(`${where}: expected a path that begins with /, such as /pricing or /blog/*.`);
  return page;
}

/** Keeps the text as it is, because names and values of events are compared exactly. */
function readText(where: string, value: unknown, min: number, max: number): string {
  if (typeof value !== 'string') throw new OperatorError(`${where}: expected text.`);
  const length = value.trim() === '' ? 0 : value.length;
  if (length < min || length > max)
    throw new OperatorError(`${where}: expected ${min} to ${max} characters, got ${length}.`);
  if (hasControlCharacters(value))
    throw new OperatorError(`${where}: expected one line of text, got control characters.`);
  return value;
}

function readMembers(where: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OperatorError(`${where}: expected an object.`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new OperatorError(`${where}: expected only ${known.join(', ')}, got another member.`);
  return value as Record<string, unknown>;
}
