import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { Operator } from '@trackside/contract/stats/operators.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import { useState } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useNames } from '#format/names.ts';
import { useAnalytics } from '../analytics-context.ts';
import { dimensions, hasNames } from '../view/dimensions.ts';
import { addFilter, operatorOf, removeFilter, replaceFilter, toFilter, valuesOf } from '../view/filters.ts';
import { ChosenValues } from './chosen-values.tsx';
import { DimensionField } from './dimension-field.tsx';
import { useHeadWords } from './head-words.ts';
import { NameField } from './name-field.tsx';
import { OperatorField } from './operator-field.tsx';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';
import { ValueField } from './value-field.tsx';
import './filter-dialog.css';

type Props = {
  /** The filter to edit. Undefined for a new one. */
  filter: Filter | undefined;
  onClose: () => void;
};

/**
 * Builds a filter from a dimension, an operator and a value. Choosing a value from the list applies it at
 * once.
 */
export function FilterDialog({ filter, onClose }: Props) {
  const { wanted, change } = useAnalytics();
  const names = useNames();
  const words = useHeadWords().filter;
  const [dimension, setDimension] = useState<DimensionName>(filter?.dimension ?? 'page');
  const [name, setName] = useState(filter?.of ?? '');
  const [operator, setOperator] = useState<Operator>(filter === undefined ? 'is' : operatorOf(filter));
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    filter !== undefined && 'anyOf' in filter ? filter.anyOf : [],
  );
  const [text, setText] = useState(() => (filter === undefined ? '' : firstText(filter)));
  const [error, setError] = useState<string>();

  const { isCoded } = dimensions[dimension];
  const isNamed = hasNames(dimension);
  const key: Key = { dimension, ...(isNamed && name !== '' && { of: name }) };
  const others = filter === undefined ? wanted.filters : removeFilter(wanted.filters, filter);
  const suggestions = useSuggestions(key, text, others);
  const isMany = operator === 'anyOf';

  function firstText(of: Filter): string {
    const [value = ''] = 'anyOf' in of ? [] : valuesOf(of);
    return 'contains' in of || value === '' ? value : names.value(of.dimension, value);
  }
  function apply(values: readonly string[]): void {
    const next = toFilter(key, operator, values);
    onClose();
    change({
      filters: filter === undefined ? addFilter(others, next) : replaceFilter(wanted.filters, filter, next),
    });
  }
  function choose({ value }: Suggestion): void {
    if (isMany) {
      setText('');
      setChosen(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
    } else apply([value]);
  }
  /** The value with the typed name, or the typed text itself. */
  function typedValue(): string | undefined {
    const typed = text.trim();
    const isCalledSo = (label: string) => label.toLocaleLowerCase() === typed.toLocaleLowerCase();
    const known = operator === 'contains' ? undefined : suggestions?.find(({ label }) => isCalledSo(label));
    return (
      known?.value ??
      ownValues().find((value) => isCalledSo(names.value(dimension, value))) ??
      (typed === '' || isCoded ? undefined : typed)
    );
  }
  /** The values of the edited filter, which may be missing in the list or come before it has loaded. */
  function ownValues(): readonly string[] {
    const isSame = filter?.dimension === dimension && operator !== 'contains' && !('contains' in filter);
    return isSame ? valuesOf(filter) : [];
  }
  function submit(event: Event): void {
    event.preventDefault();
    const typed = typedValue();
    const values = [...(isMany ? chosen : []), ...(typed === undefined ? [] : [typed])];
    const isUnclear = typed === undefined && text.trim() !== '';
    if (values.length > 0 && !isUnclear) apply(values);
    else setError(isCoded ? words.chooseValue : words.enterValue);
  }
  /** Keeps the chosen value when the operator changes. */
  function changeOperator(to: Operator): void {
    setOperator(to);
    setError(undefined);
    const typed = typedValue();
    if (to === 'anyOf' && typed !== undefined && operator !== 'contains') {
      setChosen([typed]);
      setText('');
    } else if (isMany && to !== 'anyOf') {
      setText(chosen[0] === undefined ? '' : names.value(dimension, chosen[0]));
      setChosen([]);
    }
  }
  function changeDimension(to: DimensionName): void {
    setDimension(to);
    setName('');
    setText('');
    setChosen([]);
    setError(undefined);
    if (dimensions[to].isCoded && operator === 'contains') setOperator('is');
  }

  return (
    <Dialog title={filter === undefined ? words.addTitle : words.editTitle} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <div class="filter-what">
          <DimensionField value={dimension} onValue={changeDimension} />
          <OperatorField value={operator} onValue={changeOperator} canContain={!isCoded} />
        </div>
        {isNamed && <NameField dimension={dimension} value={name} onValue={setName} filters={others} />}
        {isMany && <ChosenValues dimension={dimension} values={chosen} onValues={setChosen} />}
        <ValueField
          label={isMany ? words.values : words.value}
          error={error}
          text={text}
          onText={(next) => {
            setText(next);
            setError(undefined);
          }}
          suggestions={suggestions}
          isChosen={({ value }) => isMany && chosen.includes(value)}
          onChoose={choose}
        />
        <DialogButtons>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" kind="primary">
            {filter === undefined ? words.add : words.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
