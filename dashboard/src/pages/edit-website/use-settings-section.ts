import type { ChangeWebsiteForm } from '@trackside/contract/app/forms.ts';
import { useEffect, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { type Answer, type Fault, ok } from '#api/fault.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { useToast } from '#design/overlays/toasts.tsx';
import { type Clash, isSame, mergeEdit } from '#forms/merge-edit.ts';
import { type Errors, type Form, useForm } from '#forms/use-form.ts';

export type Section<Values extends object> = {
  form: Form<Values>;
  isDirty: boolean;
  /** What somebody else has changed too, while this was typed. */
  clashes: readonly Clash<Values>[];
  /** Saves what was typed here, over the other one's change. */
  keepMine: () => void;
  takeTheirs: () => void;
  /** Back to what is saved. */
  undo: () => void;
};

type Options<Values extends object> = {
  settings: WebsiteSettings;
  read: (settings: WebsiteSettings) => Values;
  write: (changes: Partial<Values>) => Omit<ChangeWebsiteForm, 'version'>;
  check: (values: Values) => Errors;
  saved: string;
  onChanged: (settings: WebsiteSettings) => void;
};

/**
 * A part of the settings that is saved for itself. When another admin has saved meanwhile, changes that do
 * not touch each other are both kept; when both changed the same, the person decides.
 */
export function useSettingsSection<Values extends object>(options: Options<Values>): Section<Values> {
  const { settings, read, write, check, saved, onChanged } = options;
  const api = useApi();
  const say = useToast();
  const [base, setBase] = useState(settings);
  const [clash, setClash] = useState<{ current: WebsiteSettings; clashes: Clash<Values>[] }>();

  async function send(from: WebsiteSettings, values: Values): Promise<Answer<WebsiteSettings>> {
    const { changes } = mergeEdit(read(from), values, read(from));
    const answer = await api.changeSettings(from.id, { version: from.version, ...write(changes) });
    if (answer.isOk || answer.fault.kind !== 'conflict' || answer.fault.current === null) return answer;
    const { current } = answer.fault;
    const merge = mergeEdit(read(from), values, read(current));
    if (merge.clashes.length > 0) {
      setClash({ current, clashes: merge.clashes });
      return answer;
    }
    say('Another admin changed this website meanwhile. Both changes are kept.');
    const merged = { ...read(current), ...merge.changes };
    return isSame(merged, read(current)) ? ok(current) : await send(current, merged);
  }

  const form = useForm<Values, WebsiteSettings>({
    initial: read(settings),
    check,
    send: (values) => send(base, values),
    onDone: adopt,
    // A clash is shown by itself; that the website is gone is not.
    onFault: (fault: Fault) => fault.kind === 'conflict' && fault.current !== null,
  });
  const isDirty = !isSame(form.values, read(base));

  function adopt(changed: WebsiteSettings): void {
    setBase(changed);
    setClash(undefined);
    form.replace(read(changed));
    onChanged(changed);
    say(saved);
  }

  // Newer settings have been read. What is being typed stays, and is compared when it is saved.
  useEffect(() => {
    if (settings.version === base.version) return;
    const isUntouched = isSame(read(settings), read(base));
    if (!isDirty) form.replace(read(settings));
    if (!isDirty || isUntouched) setBase(settings);
  }, [settings]);

  return {
    form,
    isDirty,
    undo: () => form.replace(read(base)),
    clashes: clash?.clashes ?? [],
    async keepMine() {
      if (clash === undefined) return;
      const { changes } = mergeEdit(read(base), form.values, read(clash.current));
      setClash(undefined);
      const answer = await send(clash.current, { ...read(clash.current), ...changes });
      if (answer.isOk) adopt(answer.value);
      else if (answer.fault.kind !== 'conflict') say(answer.fault.message, { isBad: true });
    },
    takeTheirs() {
      if (clash === undefined) return;
      setBase(clash.current);
      form.replace(read(clash.current));
      onChanged(clash.current);
      setClash(undefined);
    },
  };
}
