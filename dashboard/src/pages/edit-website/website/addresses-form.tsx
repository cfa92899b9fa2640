import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { CheckBox } from '#design/forms/check-box.tsx';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';

type Values = Pick<WebsiteSettings, 'ignoreTrailingSlash' | 'ignoreCase' | 'ignoreWww'>;

const names = ['ignoreTrailingSlash', 'ignoreCase', 'ignoreWww'] as const;

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** Which addresses of the website count as one page. */
export function AddressesForm({ settings, onChanged }: Props) {
  const { addresses: words } = useEditWebsiteWords();
  const section = useSettingsSection<Values>({
    name: 'addresses',
    settings,
    read: (all) => Object.fromEntries(names.map((name) => [name, all[name]])) as Values,
    write: (changes) => changes,
    check: () => ({}),
    saved: words.saved,
    onChanged,
  });
  const { form } = section;
  return (
    <Card title={words.title} about={words.about}>
      <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
        {names.map((name) => (
          <CheckBox
            key={name}
            isChecked={form.values[name]}
            onChange={(isChecked) => form.field(name).onValue(isChecked)}
          >
            {words[name]}
          </CheckBox>
        ))}
        <SectionButtons
          section={section}
          save={words.save}
          nameOf={(field) => words[field]}
          show={(value) => (value === true ? words.on : words.off)}
        />
      </form>
    </Card>
  );
}
