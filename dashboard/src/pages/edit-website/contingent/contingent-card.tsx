import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { type Limit, LimitField } from '#design/forms/limit-field.tsx';
import { useFormat } from '#format/format-context.tsx';
import { checkContingent, toContingent, toLimit } from '#forms/contingent-limit.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';
import { UsageView } from './usage-view.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function ContingentCard({ settings, onChanged }: Props) {
  const { quota: words } = useEditWebsiteWords();
  const format = useFormat();
  const { quota } = useSharedWords();
  const section = useSettingsSection<{ contingent: Limit }>({
    name: 'quota',
    settings,
    read: ({ contingent }) => ({ contingent: toLimit(contingent, format) }),
    write: ({ contingent }) => (contingent === undefined ? {} : { contingent: toContingent(contingent) }),
    check: ({ contingent }) => checkContingent(contingent, quota),
    saved: words.saved,
    onChanged,
  });
  const { form } = section;
  const show = (value: unknown) => {
    const contingent = toContingent(value as Limit);
    return contingent === null ? words.noLimit : format.count(contingent, words.perMonth);
  };
  return (
    <Card title={words.title}>
      <UsageView usage={settings.usage} createdAt={settings.createdAt} />
      <form class="stack card-part" ref={form.ref} onSubmit={form.submit} noValidate>
        <LimitField legend={words.legend} texts={quota} {...form.field('contingent')} />
        <SectionButtons isQuiet section={section} save={words.save} nameOf={() => words.name} show={show} />
      </form>
    </Card>
  );
}
