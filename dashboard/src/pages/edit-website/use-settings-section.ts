import type { ChangeWebsiteForm } from '@trackside/contract/app/forms.ts';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { type Answer, type Fault, ok } from '#api/fault.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { type Clash, isSame, mergeEdit } from '#forms/merge-edit.ts';
import { type Errors, type Form, useForm } from '#forms/use-form.ts';
import { useEditWebsiteWords } from './edit-website-words.ts';
import { createDraftStore } from './settings-draft.ts';

export type Section<Values extends object> = {
  form: Form<Values>;
  isDirty: boolean;
  /** The unsaved change was typed before the user left the page. */
  isDraft: boolean;
  /** What somebody else also changed while the user was typing. */
  clashes: readonly Clash<Values>[];
  /** Saves the user's values over the other change. */
  keepMine: () => void;
  takeTheirs: () => void;
  /** Restores the saved values. */
  undo: () => void;
};

type Options<Values extends object> = {
  /** Names the section among those of a website. */
  name: string;
  settings: WebsiteSettings;
  read: (settings: WebsiteSettings) => Values;
  write: (changes: Partial<Values>) => Omit<ChangeWebsiteForm, 'version'>;
  check: (values: Values) => Errors;
  /** What to say beside a field whose value the server refuses, or that another website has. */
  refused?: { readonly [Name in keyof Values]?: string };
  taken?: { readonly [Name in keyof Values]?: string };
  saved: string;
  onChanged: (settings: WebsiteSettings) => void;
};

/**
 * A part of the settings with its own Save button. If another admin has saved in the meantime, changes to
 * different values are both kept. If both changed the same value, the user decides. What was typed and not saved
 * is there again when the user returns to the page.
 */
export function useSettingsSection<Values extends object>(options: Options<Values>): Section<Values> {
  const { name, settings, read, write, check, refused = {}, taken = {}, saved, onChanged } = options;
  const { saving: words } = useEditWebsiteWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const drafts = useMemo(
    () => createDraftStore<Values>(sessionStorage, settings.id, name),
    [settings.id, name],
  );
  const [draft, setDraft] = useState(drafts.read);
  const [base, setBase] = useState(draft?.base ?? settings);
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
    say(words.bothKept);
    const merged = { ...read(current), ...merge.changes };
    return isSame(merged, read(current)) ? ok(current) : await send(current, merged);
  }

  const form = useForm<Values, WebsiteSettings>({
    initial: draft?.values ?? read(settings),
    check,
    refused,
    taken,
    send: (values) => send(base, values),
    onDone: adopt,
    // A clash has its own display. A website that is gone does not.
    onFault: (fault: Fault) => fault.kind === 'conflict' && fault.current !== null,
  });
  const isDirty = !isSame(form.values, read(base));
  // A layout effect, because the user may leave before the next paint.
  useLayoutEffect(() => {
    drafts.write(isDirty ? { base, values: form.values } : undefined);
    if (!isDirty) setDraft(undefined);
  }, [drafts, isDirty, base, form.values]);

  /** What was typed after the values were sent stays. */
  function adopt(changed: WebsiteSettings, sent: Values): void {
    setBase(changed);
    setClash(undefined);
    form.replace((typed) => ({ ...read(changed), ...mergeEdit(sent, typed, sent).changes }));
    onChanged(changed);
    say(saved);
  }

  // Newer settings were loaded. What is being typed stays, and is compared with them when it is saved. A layout
  // effect, because the user may type before the next paint.
  useLayoutEffect(() => {
    if (settings.version === base.version) return;
    const isUntouched = isSame(read(settings), read(base));
    if (!isDirty) form.replace(read(settings));
    if (!isDirty || isUntouched) setBase(settings);
  }, [settings]);

  return {
    form,
    isDirty,
    isDraft: isDirty && draft !== undefined && isSame(draft.values, form.values),
    undo: () => form.replace(read(base)),
    clashes: clash?.clashes ?? [],
    async keepMine() {
      if (clash === undefined) return;
      const { changes } = mergeEdit(read(base), form.values, read(clash.current));
      setClash(undefined);
      const answer = await send(clash.current, { ...read(clash.current), ...changes });
      if (answer.isOk) adopt(answer.value, form.values);
      else if (answer.fault.kind !== 'conflict') say(spellFault(answer.fault), { isBad: true });
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
