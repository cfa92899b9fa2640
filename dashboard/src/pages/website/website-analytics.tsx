import { useMemo } from 'preact/hooks';
import type { Website } from '#api/shapes.ts';
import { sessionAccess } from '#api/stats-access.ts';
import { useIsAdmin } from '#app/session/session-context.ts';
import { Analytics } from '../analytics/analytics.tsx';
import { DemoBanner } from './demo-banner.tsx';
import { NoRecords } from './no-records.tsx';
import { QuotaBanner } from './quota-banner.tsx';
import { useDemo } from './use-demo.ts';
import { WebsiteSkeleton } from './website-skeleton.tsx';

/** A website is not expected to have any records for this long after it was added. */
const newMs = 600_000;

/** The statistics of a website with what its people should know about them. */
export function WebsiteAnalytics({ website, path }: { website: Website; path: string }) {
  const isAdmin = useIsAdmin();
  const { id } = website;
  const access = useMemo(() => sessionAccess(id), [id]);
  const control = useDemo(id);
  const isNew = Date.now() - Date.parse(website.createdAt) < newMs;
  const isLoading = control.demo?.state === 'loading';
  return (
    <Analytics
      website={website}
      access={access}
      path={path}
      canEdit={isAdmin}
      hasRecords={website.usage.used > 0}
      notices={
        <>
          <QuotaBanner website={website} />
          {!isLoading && <DemoBanner control={control} />}
        </>
      }
      {...(isNew && { unknown: <WebsiteSkeleton /> })}
      {...(isAdmin && {
        empty: (state) => <NoRecords website={website} control={control} {...state} />,
      })}
    />
  );
}
