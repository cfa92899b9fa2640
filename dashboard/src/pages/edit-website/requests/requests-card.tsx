import { useId, useState } from 'preact/hooks';
import { useRecentRequests } from '#api/use-recent-requests.ts';
import { Card } from '#design/display/card.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Tabs } from '#design/display/tabs.tsx';
import { Button } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useAccessWords } from '../access-words.ts';
import { RequestRow } from './request-row.tsx';
import './requests-card.css';

const fewRequests = 12;

/**
 * What the backend sent and how the node responded, live, so that the reason of a refusal is visible at once.
 */
export function RequestsCard({ websiteId }: { websiteId: number }) {
  const { requests: words } = useAccessWords();
  const { requests, skipped, excluded, fault } = useRecentRequests(websiteId);
  const format = useFormat();
  const panelId = useId();
  const [tab, setTab] = useState<'all' | 'refused'>('all');
  const [hasAll, setHasAll] = useState(false);
  const wanted = requests?.filter(({ code }) => tab === 'all' || code !== 200);
  const rows = hasAll ? wanted : wanted?.slice(0, fewRequests);
  const tabs = [
    { id: 'all', label: words.all },
    { id: 'refused', label: words.refused },
  ] as const;
  const live = (
    <span class="live">
      <i class={fault === undefined ? 'live-dot' : 'live-dot live-dot-calm'} />
      {words.live}
    </span>
  );
  return (
    <Card title={words.title} about={words.about} aside={live}>
      <Tabs label={words.which} tabs={tabs} selected={tab} onSelect={setTab} panelId={panelId} />
      <div id={panelId} role="tabpanel" aria-labelledby={`${panelId}-${tab}`}>
        {rows === undefined && <Skeleton height={110} />}
        {rows?.length === 0 && (
          <p class="muted">{tab === 'refused' && requests?.length ? words.noneRefused : words.none}</p>
        )}
        {rows !== undefined && rows.length > 0 && (
          <ul class="requests">
            {rows.map((request) => (
              <RequestRow key={request.number} request={request} />
            ))}
          </ul>
        )}
      </div>
      {wanted !== undefined && wanted.length > fewRequests && !hasAll && (
        <div class="row">
          <Button isSmall onClick={() => setHasAll(true)}>
            {words.showAll(format.number(wanted.length))}
          </Button>
        </div>
      )}
      {excluded > 0 && <p class="faint small">{format.count(excluded, words.excluded)}</p>}
      {skipped > 0 && <p class="faint small">{format.count(skipped, words.skipped)}</p>}
    </Card>
  );
}
