import type { Activity, Website } from '#api/shapes.ts';
import { useIsSeen } from '#browser/use-is-seen.ts';
import { useNow } from '#browser/use-now.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Sparkline } from '#design/display/sparkline.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { spellActivityChange } from './spell-activity-change.ts';
import { useActivity } from './use-activity.ts';
import { useWebsitesWords } from './websites-words.ts';

type Props = {
  website: Website;
  /** Whether everything is in one line. */
  isCompact?: boolean;
};

/**
 * The visitors of the last 24 hours, kept up to date. It says when the engine is away, and recovers on its
 * own.
 */
export function WebsiteActivity({ website, isCompact = false }: Props) {
  const words = useWebsitesWords();
  const format = useFormat();
  const [ref, isSeen] = useIsSeen<HTMLDivElement>();
  const { value, fault } = useActivity(website.id, isSeen);
  const height = isCompact ? 28 : 82;

  const say = (text: string) => <p class="website-away">{text}</p>;
  const show = () => {
    if (value === undefined && fault?.kind === 'unavailable') return say(words.away);
    if (value === undefined && fault !== undefined && fault.kind !== 'unreachable')
      return say(words.notLoaded);
    if (value === undefined)
      return (
        <div class="website-loading" aria-busy="true">
          <Skeleton width="58%" height={28} />
          <Skeleton height={height} />
        </div>
      );
    if (value.visitors === 0 && website.usage.used === 0) return say(words.noData);
    return (
      <>
        <p class="website-visitors">
          {isCompact ? (
            <>
              <b>{format.number(value.visitors)}</b>
              <span class="unseen">{words.columns.visitors}</span>
              <span class="website-unit" aria-hidden="true">
                {words.shortUnit}
              </span>
            </>
          ) : (
            fill(format.count(value.visitors, words.visitors), {
              number: <b>{format.number(value.visitors)}</b>,
            })
          )}
          <ChangeView activity={value} website={website} />
        </p>
        <Sparkline values={value.byHour} height={height} label={words.byHour} />
      </>
    );
  };
  return (
    <div class={isCompact ? 'website-line' : 'website-numbers'} ref={ref}>
      {show()}
    </div>
  );
}

function ChangeView({ activity, website }: { activity: Activity; website: Website }) {
  const words = useWebsitesWords();
  const format = useFormat();
  const change = spellActivityChange(activity, website, useNow(60_000), format);
  if (change === undefined) return null;
  return (
    <span
      class="website-change"
      data-tone={change.tone}
      title={words.before(format.count(activity.visitorsBefore, words.visitorsCounted))}
    >
      {change.text}
    </span>
  );
}
