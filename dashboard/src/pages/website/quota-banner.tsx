import type { Website } from '#api/shapes.ts';
import { useIsAdmin } from '#app/session/session-context.ts';
import { Banner } from '#design/display/banner.tsx';
import { useFormat } from '#format/format-context.tsx';
import { quotaLevel } from './quota-level.ts';
import { useWebsiteWords } from './website-words.ts';

/** Says that the monthly quota is nearly or completely used, and how many records were refused. */
export function QuotaBanner({ website: { id, usage } }: { website: Website }) {
  const { quota: words } = useWebsiteWords();
  const format = useFormat();
  const isAdmin = useIsAdmin();
  const level = quotaLevel(usage);
  const { used, limit, refused } = usage;
  if (level === 'calm' || limit === null) return null;
  const day = format.utcDay(usage.resetsAt);
  return (
    <div class="quota" role="status">
      <Banner kind={level === 'full' ? 'bad' : 'warn'}>
        {level === 'full' ? (
          <>
            <b>{words.full}</b> {words.fullUntil(day)} {refused > 0 && format.count(refused, words.refused)}
          </>
        ) : (
          <>
            <b>{words.near(format.number(Math.floor((used / limit) * 100)))}</b>{' '}
            {words.nearAbout(format.number(used), format.number(limit), day)}
          </>
        )}{' '}
        {isAdmin && <a href={`/websites/${id}/settings#quota`}>{words.change}</a>}
      </Banner>
    </div>
  );
}
