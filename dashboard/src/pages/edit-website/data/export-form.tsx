import { useState } from 'preact/hooks';
import type { WebsiteSettings } from '#api/shapes.ts';
import { LinkButton } from '#design/forms/button.tsx';
import { DayField } from '#design/forms/day-field.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { type ExportFormat, exportAddress } from './export-address.ts';
import './export-form.css';

/**
 * Downloads the records of a period. The browser saves the file while it arrives, so it may be larger than
 * the memory.
 */
export function ExportForm({ settings: { id } }: { settings: WebsiteSettings }) {
  const { export: words } = useEditWebsiteWords();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const isReversed = from !== '' && to !== '' && from > to;
  return (
    <div class="stack card-part">
      <div>
        <h3>{words.title}</h3>
        <p class="card-about">{words.about}</p>
      </div>
      <div class="export-days">
        <DayField label={words.from} name="from" value={from} onValue={setFrom} />
        <DayField
          label={words.to}
          name="to"
          value={to}
          onValue={setTo}
          error={isReversed ? words.reversed : undefined}
        />
      </div>
      <RadioGroup
        legend={words.format}
        name="format"
        value={format}
        onValue={setFormat}
        choices={[
          { value: 'csv', label: words.csv, hint: words.csvHint },
          { value: 'parquet', label: words.parquet, hint: words.parquetHint },
        ]}
      />
      <div class="row">
        {isReversed ? (
          <LinkButton href="#data" aria-disabled="true">
            {words.download}
          </LinkButton>
        ) : (
          <LinkButton href={exportAddress(id, { format, from, to })} download>
            {words.download}
          </LinkButton>
        )}
      </div>
    </div>
  );
}
