import type { WebsiteSettings } from '#api/shapes.ts';
import { TextField } from '#design/forms/text-field.tsx';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** The origins whose pages may use a read token in the browser. */
export function OriginsForm({ settings, onChanged }: Props) {
  const section = useSettingsSection<{ readOrigins: string }>({
    settings,
    read: ({ readOrigins }) => ({ readOrigins: readOrigins.join(' ') }),
    write: ({ readOrigins }) =>
      readOrigins === undefined ? {} : { readOrigins: readOrigins.match(/[^\s,]+/g) ?? [] },
    check: () => ({}),
    saved: 'Allowed origins saved.',
    onChanged,
  });
  const { form } = section;
  return (
    <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
      <TextField
        isOptional
        label="Allowed origins"
        hint="Pages that may read the statistics in the browser with a token. Separate several with spaces."
        placeholder="https://intranet.example.com"
        autocomplete="off"
        inputMode="url"
        {...form.field('readOrigins')}
      />
      <SectionButtons
        isQuiet
        section={section}
        save="Save origins"
        nameOf={() => 'Allowed origins'}
        show={(value) => String(value) || 'none'}
      />
    </form>
  );
}
