import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { TimeZoneField } from '#design/forms/time-zone-field.tsx';
import { readDomain } from '#forms/read-domain.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';

type Values = { name: string; domain: string; timezone: string };

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function WebsiteForm({ settings, onChanged }: Props) {
  const { website: words } = useEditWebsiteWords();
  const section = useSettingsSection<Values>({
    name: 'website',
    settings,
    read: ({ name, shownDomain, timezone }) => ({ name, domain: shownDomain, timezone }),
    write: ({ name, domain, timezone }) => ({
      ...(name !== undefined && { name: name.trim() }),
      ...(domain !== undefined && { domain: readDomain(domain) }),
      ...(timezone !== undefined && { timezone }),
    }),
    check: ({ name, domain }) => ({
      ...(name.trim() === '' && { name: words.nameMissing }),
      ...(domain.trim() === '' && { domain: words.domainMissing }),
    }),
    refused: { name: words.nameRefused, domain: words.domainRefused, timezone: words.timezoneRefused },
    taken: { domain: words.domainTaken },
    saved: words.saved,
    onChanged,
  });
  const { form } = section;
  return (
    <Card title={words.title} about={words.about}>
      <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
        <TextField label={words.name} autocomplete="off" {...form.field('name')} />
        <TextField label={words.domain} autocomplete="off" inputMode="url" {...form.field('domain')} />
        <TimeZoneField {...form.field('timezone')} />
        <SectionButtons
          section={section}
          save={words.save}
          nameOf={(field) => words[field]}
          show={(value) => String(value)}
        />
      </form>
    </Card>
  );
}
