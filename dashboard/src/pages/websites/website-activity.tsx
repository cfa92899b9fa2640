import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Sparkline } from '#design/display/sparkline.tsx';
import { useFormat } from '#format/format-context.tsx';

const minuteMs = 60_000;

type Props = {
  website: Website;
  /** Shown after the number where no heading explains it. */
  span?: string;
};

/**
 * The visitors of the last 24 hours, kept up to date. It says when the engine is away, and recovers on its
 * own.
 */
export function WebsiteActivity({ website: { id, usage }, span }: Props) {
  const api = useApi();
  const format = useFormat();
  const { value, fault } = useResource(`activity ${id}`, (signal) => api.activity(id, signal), minuteMs);

  if (value === undefined && fault?.kind === 'unavailable')
    return <p class="website-away">The statistics are starting up. The numbers will be here in a moment.</p>;
  if (value === undefined && fault !== undefined && fault.kind !== 'unreachable')
    return <p class="website-away">The numbers could not be loaded.</p>;
  if (value === undefined)
    return (
      <div class="stack-tight" aria-busy="true">
        <Skeleton width="58%" height={28} />
        <Skeleton height={82} />
      </div>
    );
  if (value.visitors === 0 && usage.used === 0) return <p class="website-away">No record has come yet.</p>;
  return (
    <>
      <p class="website-visitors">
        <b>{format.number(value.visitors)}</b> {value.visitors === 1 ? 'visitor' : 'visitors'} {span}
      </p>
      <Sparkline values={value.byHour} height={82} label="Visitors by hour, the last 24 hours" />
    </>
  );
}
