import type { LiveState } from '#api/create-live-lines.ts';
import type { LiveScene } from '#api/shapes.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useLiveWords } from './live-words.ts';

/** How many visitors there are now, and how many there were in each of the last minutes. */
export function LiveNow({ scene, isAway }: Pick<LiveState, 'scene' | 'isAway'>) {
  const words = useLiveWords();
  const format = useFormat();
  const count = isAway ? '–' : scene && format.number(scene.visitors);
  return (
    <section class="card live-now" aria-label={words.now}>
      <div class="live-present">
        <div class="live-number">{count ?? <Skeleton width="72px" height={52} />}</div>
        <div class="live-what">
          <i class={!isAway && scene?.visitors ? 'live-beat' : 'live-beat live-calm'} />
          {format.count(scene?.visitors ?? 0, words.visitorsNow)}
        </div>
        <div class="faint small">{words.seen}</div>
      </div>
      <Minutes minutes={scene?.minutes ?? []} />
    </section>
  );
}

function Minutes({ minutes }: { minutes: LiveScene['minutes'] }) {
  const words = useLiveWords();
  const format = useFormat();
  const most = Math.max(...minutes.map(({ visitors }) => visitors), 0);
  const describe = ({ minutesAgo, visitors, pageViews }: LiveScene['minutes'][number]) => {
    const counts = [
      format.count(visitors, words.visitors),
      format.count(pageViews, words.pageViews),
    ] as const;
    return minutesAgo === 0
      ? words.thisMinute(...counts)
      : words.minutesAgo(format.number(minutesAgo), ...counts);
  };
  return (
    <div class="live-minutes">
      <div class="live-bars" role="img" aria-label={words.chart(format.number(most))}>
        {minutes.map((minute) => (
          <i key={minute.minutesAgo} title={describe(minute)}>
            <b style={{ height: `${most === 0 ? 0 : (minute.visitors / most) * 100}%` }} />
          </i>
        ))}
      </div>
      <div class="live-axis" aria-hidden="true">
        <span>{words.axisFrom}</span>
        <span>{most > 0 && words.peak(format.number(most))}</span>
        <span>{words.axisTo}</span>
      </div>
    </div>
  );
}
