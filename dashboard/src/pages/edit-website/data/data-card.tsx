import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { PersonForm } from './person-form.tsx';
import { RetentionForm } from './retention-form.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function DataCard({ settings, onChanged }: Props) {
  return (
    <Card title="Data" about="How long records are kept, and what is kept about one person.">
      <RetentionForm settings={settings} onChanged={onChanged} />
      <PersonForm settings={settings} />
    </Card>
  );
}
