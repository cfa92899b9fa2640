import { funnelLimits } from '@trackside/contract/stats/funnel-limits.ts';
import { useId, useRef } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import type { FieldWiring } from '#design/forms/field.tsx';
import { emptyStep, findFaulty, findMissing, moveOne, type StepDraft } from './funnel-draft.ts';
import { useFunnelsWords } from './funnels-words.ts';
import { StepField } from './step-field.tsx';
import { useStepSuggestions } from './use-step-suggestions.ts';
import './steps-field.css';

const { minSteps, maxSteps } = funnelLimits;

/** The steps of a funnel, which can be added, moved and removed. */
export function StepsField({ value: steps, onValue, error }: FieldWiring<readonly StepDraft[]>) {
  const id = useId();
  const words = useFunnelsWords().steps;
  const suggestions = useStepSuggestions();
  const lastKey = useRef(Math.max(...steps.map(({ key }) => key)));
  const faulty = findFaulty(steps);
  const add = () => {
    lastKey.current += 1;
    onValue([...steps, emptyStep(lastKey.current)]);
  };
  return (
    <fieldset class="draft" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend class="field-legend">{words.legend}</legend>
      <ol class="draft-steps">
        {steps.map((step, index) => (
          <StepField
            key={step.key}
            number={index + 1}
            step={step}
            isFirst={index === 0}
            isLast={index === steps.length - 1}
            canRemove={steps.length > minSteps}
            missing={error !== undefined && index === faulty ? findMissing(step) : undefined}
            suggestionsId={id}
            onStep={(changed) => onValue(steps.with(index, changed))}
            onMove={(by) => onValue(moveOne(steps, index, by))}
            onRemove={() => onValue(steps.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <datalist id={`${id}-pages`}>
        {suggestions.pages.map((page) => (
          <option key={page} value={page} />
        ))}
      </datalist>
      <datalist id={`${id}-events`}>
        {suggestions.events.map((event) => (
          <option key={event} value={event} />
        ))}
      </datalist>
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <div class="row">
        {steps.length < maxSteps && (
          <Button isSmall icon="plus" onClick={add}>
            {words.add}
          </Button>
        )}
        <span class="field-hint draft-hint">{words.hint}</span>
      </div>
    </fieldset>
  );
}
