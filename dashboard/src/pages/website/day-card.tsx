import type { Website } from '../../api/shapes.ts';
import { Card } from '../../design/display/card.tsx';
import { WebsiteActivity } from '../websites/website-activity.tsx';
import { WebsiteUsage } from '../websites/website-usage.tsx';
import '../websites/websites-page.css';

/** How the website is doing today. */
export function DayCard({ website }: { website: Website }) {
  return (
    <Card title="Last 24 hours">
      <div class="day">
        <div class="website-numbers">
          <WebsiteActivity website={website} />
        </div>
        <WebsiteUsage usage={website.usage} />
      </div>
    </Card>
  );
}
