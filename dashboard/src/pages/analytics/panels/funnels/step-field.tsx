import { Button } from '#design/forms/button.tsx';
import type { StepDraft } from './funnel-draft.ts';

type Props = {
  number: number;
  step: StepDraft;
  isFirst: boolean;
  isLast: boolean;
  canRemove: boolean;
  isFaulty: boolean;
  /** The id prefix of the lists of known pages and events, before `-pages` and `-events`. */
  suggestionsId: string;
  onStep: (step: StepDraft) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

const kinds: readonly { kind: StepDraft['kind']; label: string }[] = [
  { kind: 'page', label: 'Page' },
  { kind: 'event', label: 'Event' },
  { kind: 'parameter', label: 'Event with…' },
];

export function StepField(props: Props) {
  const { number, step, isFirst, isLast, canRemove, isFaulty, suggestionsId, onStep, onMove, onRemove } =
    props;
  const text = (
    member: 'page' | 'event' | 'parameterName' | 'parameterValue',
    label: string,
    hint: string,
  ) => (
    <input
      class="input"
      aria-label={`Step ${number}, ${label}`}
      aria-invalid={isFaulty && member !== 'parameterValue' ? 'true' : undefined}
      placeholder={hint}
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
        aria-label={`Step ${number}, kind`}
        value={step.kind}
        onChange={(event) => onStep({ ...step, kind: event.currentTarget.value as StepDraft['kind'] })}
      >
        {kinds.map(({ kind, label }) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </select>
      <div class="draft-what">
        {step.kind === 'page'
          ? text('page', 'path of the page', number === 1 ? '/pricing' : '/signup')
          : text('event', 'name of the event', 'signup')}
        {step.kind === 'parameter' && (
          <div class="draft-parameter">
            {text('parameterName', 'name of the parameter', 'plan')}
            <span aria-hidden="true">=</span>
            {text('parameterValue', 'value of the parameter', 'pro')}
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
          Move step {number} up
        </Button>
        <Button kind="quiet" isSmall isIconOnly icon="chevron" isDisabled={isLast} onClick={() => onMove(1)}>
          Move step {number} down
        </Button>
        <Button kind="quiet" isSmall isIconOnly icon="cross" isDisabled={!canRemove} onClick={onRemove}>
          Remove step {number}
        </Button>
      </div>
    </li>
  );
}
