import type { FunnelStep } from '@trackside/contract/stats/questions.ts';

/** Describes the kind and the name of a step: `Event` and `purchase, plan = pro`. */
export function describeStep(step: FunnelStep): { kind: 'Page' | 'Event'; name: string } {
  if ('page' in step) return { kind: 'Page', name: step.page };
  const { event, parameter } = step;
  const name = parameter === undefined ? event : `${event}, ${parameter.name} = ${parameter.value}`;
  return { kind: 'Event', name };
}
