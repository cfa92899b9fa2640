import { maxLedgerDays } from '@trackside/contract/app/limits.ts';
import { addDays } from '@trackside/contract/calendar/day.ts';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { WebsiteNotFound } from '#app/frame/website-not-found.tsx';
import { WebsiteTitle } from '#app/frame/website-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { usePlace, useRouter } from '#app/routing/router.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { Choice } from '../analytics/panels/list/choice.tsx';
import { useToday } from '../analytics/view/use-today.ts';
import { Ledger } from './ledger.tsx';
import { useQualityWords } from './quality-words.ts';
import './quality.css';

const periods = [7, 30, 90, maxLedgerDays];
const usualDays = 30;
/** Records arrive while somebody looks. */
const refreshMs = 10_000;

/** Shows what became of everything that was sent to a website. */
export function QualityPage({ path, websiteId }: PageProps) {
  const words = useQualityWords();
  const format = useFormat();
  const router = useRouter();
  const websites = useWebsites();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  const wanted = Number(new URLSearchParams(usePlace(path).search).get('days'));
  const days = periods.includes(wanted) ? wanted : usualDays;
  return (
    <div class="quality">
      <WebsiteTitle
        title={useSharedWords().header.quality}
        websiteId={websiteId}
        about={words.about}
        actions={
          <Choice
            label={words.period}
            options={periods.map((count) => ({
              id: String(count),
              label: words.days(format.number(count)),
            }))}
            selected={String(days)}
            onSelect={(id) => router.go(`${path}?days=${id}`, { replace: true })}
          />
        }
      />
      <Loaded resource={websites} skeleton={<QualitySkeleton />}>
        {() => (website === undefined ? <WebsiteNotFound /> : <Account website={website} days={days} />)}
      </Loaded>
    </div>
  );
}

function Account({ website: { id, timezone }, days }: { website: Website; days: number }) {
  const api = useApi();
  const to = useToday(timezone);
  const ledger = useResource(
    `ledger ${id} ${days} ${to}`,
    (signal) => api.ledger(id, addDays(to, 1 - days), to, signal),
    refreshMs,
  );
  return (
    <Loaded resource={ledger} skeleton={<QualitySkeleton />}>
      {(answer) => <Ledger websiteId={id} days={days} ledger={answer} />}
    </Loaded>
  );
}

function QualitySkeleton() {
  return (
    <div class="stack">
      <Skeleton height={290} />
      <Skeleton height={380} />
      <Skeleton height={220} />
    </div>
  );
}
