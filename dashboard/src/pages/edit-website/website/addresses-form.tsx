import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { CheckBox } from '#design/forms/check-box.tsx';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';

type Values = Pick<WebsiteSettings, 'ignoreTrailingSlash' | 'ignoreCase' | 'ignoreWww'>;

const texts: Record<keyof Values, string> = {
  ignoreTrailingSlash: 'Ignore trailing slashes: /about/ is /about',
  ignoreCase: 'Ignore letter case: /About is /about',
  ignoreWww: 'Ignore www: www.example.com is example.com',
};

const names = Object.keys(texts) as (keyof Values)[];

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** Which addresses of the website count as one page. */
export function AddressesForm({ settings, onChanged }: Props) {
  const section = useSettingsSection<Values>({
    settings,
    read: (all) => Object.fromEntries(names.map((name) => [name, all[name]])) as Values,
    write: (changes) => changes,
    check: () => ({}),
    saved: 'Saved. Past days update within minutes.',
    onChanged,
  });
  const { form } = section;
  return (
    <Card title="Page addresses" about="Which addresses count as one page.">
      <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
        {names.map((name) => (
          <CheckBox
            key={name}
            isChecked={form.values[name]}
            onChange={(isChecked) => form.field(name).onValue(isChecked)}
          >
            {texts[name]}
          </CheckBox>
        ))}
        <SectionButtons
          section={section}
          save="Save addresses"
          nameOf={(field) => texts[field]}
          show={(value) => (value === true ? 'On' : 'Off')}
        />
      </form>
    </Card>
  );
}
