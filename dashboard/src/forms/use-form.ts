import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Fault } from '#api/fault.ts';
import type { FieldWiring } from '#design/forms/field.tsx';

/** The error messages by field. */
export type Errors = Readonly<Record<string, string>>;

export type Form<Values> = {
  values: Values;
  /** Wires a field to its value: `<TextField label="Name" {...form.field('name')} />`. */
  field: <Name extends keyof Values & string>(name: Name) => FieldWiring<Values[Name]>;
  replace: (values: Values) => void;
  /** What is wrong with the form as a whole. */
  fault: Fault | undefined;
  isBusy: boolean;
  submit: (event?: Event) => void;
  ref: { current: HTMLFormElement | null };
};

type Options<Values, Result> = {
  initial: Values;
  /** Checks the values before they are sent. Nothing is sent if there are errors. */
  check?: (values: Values) => Errors;
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
      const fields = answer.fault.kind === 'invalid' ? answer.fault.fields : {};
      const isShown = Object.keys(fields).some((name) => Object.hasOwn(values, name));
      setErrors(fields);
      setFault(isShown ? undefined : answer.fault);
      setAttempt(attempt + 1);
    } finally {
      setIsBusy(false);
    }
  }

  return {
    values,
    fault,
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
