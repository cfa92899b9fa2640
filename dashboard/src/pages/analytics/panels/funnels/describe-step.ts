import type { FunnelStep } from '@trackside/contract/stats/questions.ts';
import { shownText } from '@trackside/contract/stats/shown-text.ts';
import { showPath } from '#format/show-value.ts';
import type { FunnelsWords } from './funnels-words.ts';

/** Describes the kind and the name of a step: `event` and `purchase, plan = pro`. */
export function describeStep(
  step: FunnelStep,
  words: Pick<FunnelsWords, 'withParameter'>,
): { kind: 'page' | 'event'; name: string } {
  if ('page' in step) return { kind: 'page', name: showPath(step.page) };
  const { event, parameter } = step;
  const name = parameter === undefined ? event : words.withParameter({ event, ...parameter });
  return { kind: 'event', name: shownText(name) };
}
