import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { PersonForm } from './person-form.tsx';
import { RetentionForm } from './retention-form.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function DataCard({ settings, onChanged }: Props) {
  const { data: words } = useEditWebsiteWords();
  return (
    <Card title={words.title} about={words.about}>
      <RetentionForm settings={settings} onChanged={onChanged} />
      <PersonForm settings={settings} />
    </Card>
  );
}
