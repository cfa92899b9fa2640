import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { TimeZoneField } from '#design/forms/time-zone-field.tsx';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';

type Values = { name: string; domain: string; timezone: string };

const names = { name: 'Name', domain: 'Domain', timezone: 'Timezone' };

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function WebsiteForm({ settings, onChanged }: Props) {
  const section = useSettingsSection<Values>({
    settings,
    read: ({ name, shownDomain, timezone }) => ({ name, domain: shownDomain, timezone }),
    write: ({ name, domain, timezone }) => ({
      ...(name !== undefined && { name: name.trim() }),
      ...(domain !== undefined && { domain: domain.trim() }),
      ...(timezone !== undefined && { timezone }),
    }),
    check: ({ name, domain }) => ({
      ...(name.trim() === '' && { name: 'Enter a name.' }),
      ...(domain.trim() === '' && { domain: 'Enter the domain, for example shop.example.com.' }),
    }),
    saved: 'Website saved.',
    onChanged,
  });
  const { form } = section;
  return (
    <Card title="Website" about="How it is called here and in reports.">
      <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
        <TextField label="Name" autocomplete="off" {...form.field('name')} />
        <TextField label="Domain" autocomplete="off" inputMode="url" {...form.field('domain')} />
        <TimeZoneField {...form.field('timezone')} />
        <SectionButtons
          section={section}
          save="Save changes"
          nameOf={(field) => names[field]}
          show={(value) => String(value)}
        />
      </form>
    </Card>
  );
}
