import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { useFormat } from '#format/format-context.tsx';
import { isSame } from '#forms/merge-edit.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';
import { ExclusionList } from './exclusion-list.tsx';
import { useExclusionWords } from './exclusion-words.ts';
import { NewExclusionForm } from './new-exclusion-form.tsx';
import { usePreview } from './use-preview.ts';
import './exclusions-card.css';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** The rules for records that are not counted, with what they would have excluded before they are saved. */
export function ExclusionsCard({ settings, onChanged }: Props) {
  const words = useExclusionWords();
  const format = useFormat();
  const section = useSettingsSection<{ exclusions: readonly Exclusion[] }>({
    name: 'exclusions',
    settings,
    read: ({ exclusions }) => ({ exclusions }),
    write: ({ exclusions }) => (exclusions === undefined ? {} : { exclusions: [...exclusions] }),
    check: () => ({}),
    saved: words.saved,
    onChanged,
  });
  const { form, isDirty } = section;
  const { exclusions } = form.values;
  const { onValue } = form.field('exclusions');
  const preview = usePreview(settings.id, exclusions, isDirty);
  const excluded = preview.state === 'ready' ? preview.excluded : undefined;
  return (
    <Card title={words.title} about={words.about}>
      {exclusions.length === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <ExclusionList
          rules={exclusions}
          preview={excluded}
          onRemove={(rule) => onValue(exclusions.filter((one) => !isSame(one, rule)))}
        />
      )}
      <NewExclusionForm rules={exclusions} onAdd={(rule) => onValue([...exclusions, rule])} />
      <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
        <p class="muted small" role="status">
          {preview.state === 'busy' && words.previewing}
          {excluded !== undefined &&
            words.total(format.number(excluded.excluded), format.number(excluded.records))}
        </p>
        <SectionButtons
          isQuiet
          section={section}
          save={words.save}
          nameOf={() => words.title}
          show={(value) => spellRules(value as readonly Exclusion[]) || words.empty}
        />
      </form>
    </Card>
  );
}

const spellRules = (rules: readonly Exclusion[]) =>
  rules.map(({ kind, value }) => `${kind} ${value}`).join(', ');
