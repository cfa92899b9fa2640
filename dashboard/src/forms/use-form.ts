import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Fault, FaultCode } from '#api/fault.ts';
import type { FieldWiring } from '#design/forms/field.tsx';
import { useFaultWords } from '#format/fault-words.ts';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { spellRefusedFields } from './spell-refused-fields.ts';

/** The error messages by field. */
export type Errors = Readonly<Record<string, string>>;

export type Form<Values> = {
  values: Values;
  /** Wires a field to its value: `<TextField label="Name" {...form.field('name')} />`. */
  field: <Name extends keyof Values & string>(name: Name) => FieldWiring<Values[Name]>;
  /** Sets all values, which may depend on what is typed by then. */
  replace: (values: Values | ((typed: Values) => Values)) => void;
  /** What is wrong with the form as a whole. Its message is in the language of the page. */
  fault: Fault | undefined;
  isBusy: boolean;
  submit: (event?: Event) => void;
  ref: { current: HTMLFormElement | null };
};

type Options<Values, Result> = {
  initial: Values;
  /** Checks the values before they are sent. Nothing is sent if there are errors. */
  check?: (values: Values) => Errors;
  /** What to say beside a field whose value the server refuses. */
  refused?: { readonly [Name in keyof Values]?: string };
  /** What to say beside a field whose value somebody or something else already has. */
  taken?: { readonly [Name in keyof Values]?: string };
  /** What to say about the form as a whole, where this form knows better than the general words. */
  faults?: { readonly [Code in FaultCode]?: string };
  send: (values: Values) => Promise<Answer<Result>>;
  onDone: (result: Result, values: Values) => void;
  /** Returns whether the fault was handled. */
  onFault?: (fault: Fault, values: Values) => boolean;
};

/** The state of a form that is sent to the node. It keeps what was typed, whatever happens. */
export function useForm<Values extends object, Result>(options: Options<Values, Result>): Form<Values> {
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState<Errors>({});
  const [fault, setFault] = useState<Fault>();
  const spellFault = useSpellFault();
  const faultWords = useFaultWords();
  const [isBusy, setIsBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);

  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (attempt > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempt]);

  async function send(): Promise<void> {
    const found = options.check?.(values) ?? {};
    setFault(undefined);
    setErrors(found);
    if (Object.keys(found).length > 0) return setAttempt(attempt + 1);
    setIsBusy(true);
    try {
      const answer = await options.send(values);
      if (answer.isOk) return options.onDone(answer.value, values);
      if (options.onFault?.(answer.fault, values)) return;
      const fields = spellRefusedFields(answer.fault, options, faultWords);
      const isShown = Object.keys(fields).some((name) => Object.hasOwn(values, name));
      setErrors(fields);
      setFault(isShown ? undefined : answer.fault);
      setAttempt(attempt + 1);
    } finally {
      setIsBusy(false);
    }
  }

  const spell = (fault: Fault) => (fault.code && options.faults?.[fault.code]) ?? spellFault(fault);
  return {
    values,
    fault: fault && { ...fault, message: spell(fault) },
    isBusy,
    ref,
    field: (name) => ({
      name,
      value: values[name],
      error: errors[name],
      onValue(value) {
        setValues((last) => ({ ...last, [name]: value }));
        setErrors(({ [name as string]: _, ...others }) => others);
      },
    }),
    replace(next) {
      setValues(next);
      setErrors({});
      setFault(undefined);
    },
    submit(event) {
      event?.preventDefault();
      if (!isBusy) void send();
    },
  };
}
