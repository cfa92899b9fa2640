import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { ExportForm } from './export-form.tsx';
import { PersonForm } from './person-form.tsx';
import { RetentionForm } from './retention-form.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function DataCard({ settings, onChanged }: Props) {
  const { data: words } = useEditWebsiteWords();
  return (
    <Card title={words.title} about={words.about}>
      <RetentionForm settings={settings} onChanged={onChanged} />
      <ExportForm settings={settings} />
      <PersonForm settings={settings} />
    </Card>
  );
}
