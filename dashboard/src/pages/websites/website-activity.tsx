import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Sparkline } from '#design/display/sparkline.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useWebsitesWords } from './websites-words.ts';

const minuteMs = 60_000;

/**
 * The visitors of the last 24 hours, kept up to date. It says when the engine is away, and recovers on its
 * own.
 */
export function WebsiteActivity({ website: { id, usage } }: { website: Website }) {
  const words = useWebsitesWords();
  const api = useApi();
  const format = useFormat();
  const { value, fault } = useResource(`activity ${id}`, (signal) => api.activity(id, signal), minuteMs);

  if (value === undefined && fault?.kind === 'unavailable') return <p class="website-away">{words.away}</p>;
  if (value === undefined && fault !== undefined && fault.kind !== 'unreachable')
    return <p class="website-away">{words.notLoaded}</p>;
  if (value === undefined)
    return (
      <div class="stack-tight" aria-busy="true">
        <Skeleton width="58%" height={28} />
        <Skeleton height={82} />
      </div>
    );
  if (value.visitors === 0 && usage.used === 0) return <p class="website-away">{words.noData}</p>;
  return (
    <>
      <p class="website-visitors">
        {fill(format.count(value.visitors, words.visitors), {
          number: <b>{format.number(value.visitors)}</b>,
        })}
      </p>
      <Sparkline values={value.byHour} height={82} label={words.byHour} />
    </>
  );
}
