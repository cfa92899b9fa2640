import { retentionDays as daysKept } from '@trackside/contract/app/limits.ts';
import { useState } from 'preact/hooks';
import type { WebsiteSettings } from '#api/shapes.ts';
import { type Limit, LimitField } from '#design/forms/limit-field.tsx';
import { useFormat } from '#format/format-context.tsx';
import { readCount } from '#format/read-count.ts';
import { toLimit } from '#forms/contingent-limit.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { SectionButtons } from '../section-buttons.tsx';
import { useSettingsSection } from '../use-settings-section.ts';
import { LastRemoval } from './last-removal.tsx';
import { ShortenDialog } from './shorten-dialog.tsx';

const { min: minDays, max: maxDays } = daysKept;

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function RetentionForm({ settings, onChanged }: Props) {
  const { retention: words } = useEditWebsiteWords();
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const section = useSettingsSection<{ retentionDays: Limit }>({
    name: 'retention',
    settings,
    read: ({ retentionDays }) => ({ retentionDays: toLimit(retentionDays, format) }),
    write: ({ retentionDays }) =>
      retentionDays === undefined ? {} : { retentionDays: toDays(retentionDays) },
    check: ({ retentionDays }) => {
      const days = toDays(retentionDays);
      if (!retentionDays.isLimited || (days !== null && days >= minDays && days <= maxDays)) return {};
      return { retentionDays: words.outOfRange(format.number(minDays), format.number(maxDays)) };
    },
    saved: words.saved,
    onChanged,
  });
  const { form } = section;
  const days = toDays(form.values.retentionDays);
  const isShorter =
    days !== null && days <= maxDays && (settings.retentionDays ?? Number.POSITIVE_INFINITY) > days;

  function ask(event: Event): void {
    event.preventDefault();
    if (isShorter && days > 0) setIsAsking(true);
    else form.submit(event);
  }
  const texts = {
    unlimited: words.forever,
    unlimitedHint: words.foreverHint,
    limited: words.deleteAfter,
    unit: words.unit,
  };
  const show = (value: unknown) => {
    const shown = toDays(value as Limit);
    return shown === null ? words.forever : format.count(shown, words.days);
  };
  return (
    <form class="stack" ref={form.ref} onSubmit={ask} noValidate>
      <LimitField legend={words.legend} texts={texts} {...form.field('retentionDays')} />
      {settings.retentionDays !== null && <LastRemoval retention={settings.retention} />}
      <SectionButtons isQuiet section={section} save={words.save} nameOf={() => words.name} show={show} />
      {isAsking && days !== null && (
        <ShortenDialog
          days={days}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            form.submit();
          }}
        />
      )}
    </form>
  );
}

const toDays = ({ isLimited, text }: Limit) => (isLimited ? (readCount(text) ?? 0) : null);
