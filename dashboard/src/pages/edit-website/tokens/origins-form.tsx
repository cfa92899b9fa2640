import type { WebsiteSettings } from '#api/shapes.ts';
import { TextField } from '#design/forms/text-field.tsx';
import { useAccessWords } from '../access-words.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** The origins whose pages may use a read token in the browser. */
export function OriginsForm({ settings, onChanged }: Props) {
  const { tokens: words } = useAccessWords();
  const section = useSettingsSection<{ readOrigins: string }>({
    name: 'origins',
    settings,
    read: ({ readOrigins }) => ({ readOrigins: readOrigins.join(' ') }),
    write: ({ readOrigins }) =>
      readOrigins === undefined ? {} : { readOrigins: readOrigins.match(/[^\s,]+/g) ?? [] },
    check: () => ({}),
    refused: { readOrigins: words.originsRefused },
    saved: words.originsSaved,
    onChanged,
  });
  const { form } = section;
  return (
    <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
      <TextField
        isOptional
        label={words.origins}
        hint={words.originsHint}
        placeholder={words.originsPlaceholder}
        autocomplete="off"
        inputMode="url"
        {...form.field('readOrigins')}
      />
      <SectionButtons
        isQuiet
        section={section}
        save={words.saveOrigins}
        nameOf={() => words.origins}
        show={(value) => String(value) || words.noOrigins}
      />
    </form>
  );
}
