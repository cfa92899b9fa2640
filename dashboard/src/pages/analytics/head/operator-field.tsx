import { type Operator, operators } from '@trackside/contract/stats/operators.ts';
import { Field } from '#design/forms/field.tsx';
import { useViewWords } from '../view/view-words.ts';
import { useHeadWords } from './head-words.ts';

type Props = {
  value: Operator;
  onValue: (value: Operator) => void;
  /** Whether `contains` is offered. It makes no sense for codes. */
  canContain: boolean;
};

/** The choice of the operator. */
export function OperatorField({ value, onValue, canContain }: Props) {
  const words = useHeadWords().filter;
  const operatorTexts = useViewWords().operators;
  return (
    <Field label={words.operator}>
      {(control) => (
        <select
          {...control}
          class="input"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value as Operator)}
        >
          {operators
            .filter((operator) => canContain || operator !== 'contains')
            .map((operator) => (
              <option key={operator} value={operator}>
                {operatorTexts[operator]}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
