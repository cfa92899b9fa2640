import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { type Limit, LimitField } from '#design/forms/limit-field.tsx';
import { useFormat } from '#format/format-context.tsx';
import { checkContingent, fromContingent, toContingent } from '#forms/contingent-limit.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';
import { UsageView } from './usage-view.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function ContingentCard({ settings, onChanged }: Props) {
  const format = useFormat();
  const { quota } = useSharedWords();
  const section = useSettingsSection<{ contingent: Limit }>({
    settings,
    read: ({ contingent }) => ({ contingent: fromContingent(contingent) }),
    write: ({ contingent }) => (contingent === undefined ? {} : { contingent: toContingent(contingent) }),
    check: ({ contingent }) => checkContingent(contingent, quota),
    saved: 'Contingent saved. It counts from the next record on.',
    onChanged,
  });
  const { form } = section;
  const show = (value: unknown) => {
    const contingent = toContingent(value as Limit);
    return contingent === null ? 'No limit' : `${format.number(contingent)} records a month`;
  };
  return (
    <Card title="Monthly contingent">
      <UsageView usage={settings.usage} createdAt={settings.createdAt} />
      <form class="stack card-part" ref={form.ref} onSubmit={form.submit} noValidate>
        <LimitField legend="How many records a month" texts={quota} {...form.field('contingent')} />
        <SectionButtons
          isQuiet
          section={section}
          save="Save contingent"
          nameOf={() => 'Contingent'}
          show={show}
        />
      </form>
    </Card>
  );
}
