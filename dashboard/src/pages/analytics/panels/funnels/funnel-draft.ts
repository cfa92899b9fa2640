import type { AddFunnelForm } from '@trackside/contract/app/forms.ts';
import { funnelLimits } from '@trackside/contract/stats/funnel-limits.ts';
import type { FunnelStep } from '@trackside/contract/stats/questions.ts';
import type { Funnel } from '#api/shapes.ts';
import type { FunnelsWords } from './funnels-words.ts';

/** A step while it is being edited. It keeps what was typed for the other kinds of steps. */
export type StepDraft = {
  /** Identifies the step when it is moved. */
  key: number;
  kind: 'page' | 'event' | 'parameter';
  page: string;
  event: string;
  parameterName: string;
  parameterValue: string;
};

export type FunnelDraft = {
  name: string;
  steps: readonly StepDraft[];
  within: 'visit' | 'days';
  /** The number of days as it was typed. */
  withinDays: string;
};

const { minDays, maxDays } = funnelLimits;

export const emptyStep = (key: number): StepDraft => ({
  key,
  kind: 'page',
  page: '',
  event: '',
  parameterName: '',
  parameterValue: '',
});

export const emptyFunnel: FunnelDraft = {
  name: '',
  steps: [emptyStep(0), emptyStep(1)],
  within: 'visit',
  withinDays: '30',
};

/** Returns what is missing in a step. Undefined when it is complete. */
export function findMissing(step: StepDraft): 'page' | 'event' | 'parameter' | undefined {
  if (step.kind === 'page') return step.page.trim().startsWith('/') ? undefined : 'page';
  if (step.event.trim() === '') return 'event';
  return step.kind === 'event' || step.parameterName.trim() !== '' ? undefined : 'parameter';
}

/** Returns the index of the first step that is incomplete, which the message is about. -1 if there is none. */
export const findFaulty = (steps: readonly StepDraft[]): number =>
  steps.findIndex((step) => findMissing(step) !== undefined);

export function checkFunnel(
  { name, steps, within, withinDays }: FunnelDraft,
  words: FunnelsWords,
): Record<string, string> {
  const faulty = findFaulty(steps);
  const missing = faulty >= 0 ? findMissing(steps[faulty]!) : undefined;
  const count = Number(withinDays);
  return {
    ...(name.trim() === '' && { name: words.form.nameMissing }),
    ...(missing !== undefined && { steps: words.steps[`${missing}Missing`](faulty + 1) }),
    ...(within === 'days' &&
      !(Number.isInteger(count) && count >= minDays && count <= maxDays) && {
        withinDays: words.form.daysWrong({ min: minDays, max: maxDays }),
      }),
  };
}

/** Opens a funnel for editing. */
export function toDraft({ name, steps, withinDays }: Omit<Funnel, 'id'>): FunnelDraft {
  return {
    name,
    steps: steps.map((step, key) => ({ ...emptyStep(key), ...toStepDraft(step) })),
    within: withinDays === null ? 'visit' : 'days',
    withinDays: withinDays === null ? emptyFunnel.withinDays : String(withinDays),
  };
}

function toStepDraft(step: FunnelStep): Partial<StepDraft> {
  if ('page' in step) return { kind: 'page', page: step.page };
  const { event, parameter } = step;
  if (parameter === undefined) return { kind: 'event', event };
  return { kind: 'parameter', event, parameterName: parameter.name, parameterValue: parameter.value };
}

export const toNewFunnel = ({ name, steps, within, withinDays }: FunnelDraft): AddFunnelForm => ({
  name: name.trim(),
  steps: steps.map(toStep),
  withinDays: within === 'visit' ? null : Number(withinDays),
});

function toStep(step: StepDraft): FunnelStep {
  if (step.kind === 'page') return { page: step.page.trim() };
  const event = step.event.trim();
  if (step.kind === 'event') return { event };
  return { event, parameter: { name: step.parameterName.trim(), value: step.parameterValue.trim() } };
}

/** Moves a part of a list one place up or down. At the end of the list it stays. */
export function moveOne<One>(list: readonly One[], from: number, by: 1 | -1): readonly One[] {
  const to = from + by;
  return to < 0 || to >= list.length ? list : list.with(to, list[from]!).with(from, list[to]!);
}
