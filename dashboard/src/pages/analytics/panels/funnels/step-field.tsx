import { Button } from '#design/forms/button.tsx';
import type { findMissing, StepDraft } from './funnel-draft.ts';
import { useFunnelsWords } from './funnels-words.ts';

type Props = {
  number: number;
  step: StepDraft;
  isFirst: boolean;
  isLast: boolean;
  canRemove: boolean;
  /** What the message says is missing here. */
  missing: ReturnType<typeof findMissing>;
  /** The id prefix of the lists of known pages and events, before `-pages` and `-events`. */
  suggestionsId: string;
  onStep: (step: StepDraft) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

const kinds: readonly StepDraft['kind'][] = ['page', 'event', 'parameter'];

export function StepField(props: Props) {
  const { number, step, isFirst, isLast, canRemove, missing, suggestionsId, onStep, onMove, onRemove } =
    props;
  const words = useFunnelsWords().steps;
  const text = (member: 'page' | 'event' | 'parameterName' | 'parameterValue', example: string) => (
    <input
      class="input"
      aria-label={words[member](number)}
      aria-invalid={member === (missing === 'parameter' ? 'parameterName' : missing) ? 'true' : undefined}
      placeholder={example}
      list={member === 'page' || member === 'event' ? `${suggestionsId}-${member}s` : undefined}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      value={step[member]}
      onInput={(event) => onStep({ ...step, [member]: event.currentTarget.value })}
    />
  );
  return (
    <li class="draft-step">
      <span class="draft-number" aria-hidden="true">
        {number}
      </span>
      <select
        class="input draft-kind"
        aria-label={words.kind(number)}
        value={step.kind}
        onChange={(event) => onStep({ ...step, kind: event.currentTarget.value as StepDraft['kind'] })}
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </select>
      <div class="draft-what">
        {step.kind === 'page' ? text('page', number === 1 ? '/pricing' : '/signup') : text('event', 'signup')}
        {step.kind === 'parameter' && (
          <div class="draft-parameter">
            {text('parameterName', 'plan')}
            <span aria-hidden="true">=</span>
            {text('parameterValue', 'pro')}
          </div>
        )}
      </div>
      <div class="draft-buttons">
        <Button
          kind="quiet"
          isSmall
          isIconOnly
          icon="chevron"
          isDisabled={isFirst}
          onClick={() => onMove(-1)}
        >
          {words.moveUp(number)}
        </Button>
        <Button kind="quiet" isSmall isIconOnly icon="chevron" isDisabled={isLast} onClick={() => onMove(1)}>
          {words.moveDown(number)}
        </Button>
        <Button kind="quiet" isSmall isIconOnly icon="cross" isDisabled={!canRemove} onClick={onRemove}>
          {words.remove(number)}
        </Button>
      </div>
    </li>
  );
}
