import {
  type Exclusion,
  type ExclusionKind,
  exclusionKinds,
  maxExclusions,
} from '@trackside/contract/app/exclusion-kinds.ts';
import { ok } from '#api/fault.ts';
import { Button } from '#design/forms/button.tsx';
import { Field } from '#design/forms/field.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { useFormat } from '#format/format-context.tsx';
import { isSame } from '#forms/merge-edit.ts';
import { useForm } from '#forms/use-form.ts';
import { useExclusionWords } from './exclusion-words.ts';

type Props = { rules: readonly Exclusion[]; onAdd: (rule: Exclusion) => void };

const examples: Record<ExclusionKind, string> = {
  network: '203.0.113.0/24',
  host: '*.staging.example.com',
  path: '/admin/*',
  query: 'preview',
  event: 'debug*',
  'user-agent': 'HeadlessChrome',
  'own-host': 'example.com',
};

const isHost = (text: string) => /^(?:\*\.)?[^\s/:@?#*]+$/.test(text);

/** Finds slips before the rule is in the list. The server looks closer when the list is saved. */
const isLikely: Record<ExclusionKind, (text: string) => boolean> = {
  network: (text) => /^[\da-f.:]*[.:][\da-f.:]*(?:\/(?:[89]|[1-9]\d{1,2}))?$/i.test(text),
  host: isHost,
  path: (text) => text[0] === '/',
  query: (text) => !/[\s&=?#*]/.test(text),
  event: () => true,
  'user-agent': (text) => text.length > 2,
  'own-host': isHost,
};

/** Adds a rule to the list, which is saved as a whole. */
export function NewExclusionForm({ rules, onAdd }: Props) {
  const words = useExclusionWords();
  const format = useFormat();
  const form = useForm<{ kind: ExclusionKind; value: string }, Exclusion>({
    initial: { kind: 'network', value: '' },
    check: ({ kind, value: typed }) => {
      const value = typed.trim();
      if (value === '') return { value: words.missing };
      if (!isLikely[kind](value)) return { value: words.refused[kind] };
      if (rules.some((rule) => isSame(rule, { kind, value }))) return { value: words.duplicate };
      return rules.length < maxExclusions ? {} : { value: words.full(format.number(maxExclusions)) };
    },
    send: async ({ kind, value }) => ok({ kind, value: value.trim() }),
    onDone: (rule) => {
      form.replace({ kind: rule.kind, value: '' });
      onAdd(rule);
    },
  });
  const kind = form.field('kind');
  return (
    <form ref={form.ref} onSubmit={form.submit} noValidate>
      <div class="exclusion-new">
        <Field label={words.kind}>
          {(control) => (
            <select
              {...control}
              class="input"
              value={kind.value}
              onChange={(event) => kind.onValue(event.currentTarget.value as ExclusionKind)}
            >
              {exclusionKinds.map((one) => (
                <option key={one} value={one}>
                  {words.kinds[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label={words.value}
          placeholder={examples[kind.value]}
          hint={kind.value === 'own-host' ? words.ownHostHint : undefined}
          autocomplete="off"
          {...form.field('value')}
        />
        <Button type="submit">{words.add}</Button>
      </div>
    </form>
  );
}
