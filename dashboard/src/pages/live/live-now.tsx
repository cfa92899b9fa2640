import type { LiveScene } from '#api/shapes.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';

/** How many visitors there are now, and how many there were in each of the last minutes. */
export function LiveNow({ scene }: { scene: LiveScene | undefined }) {
  const format = useFormat();
  return (
    <section class="card live-now" aria-label="Now">
      <div class="live-present">
        <div class="live-number">
          {scene === undefined ? <Skeleton width="72px" height={52} /> : format.number(scene.visitors)}
        </div>
        <div class="live-what">
          <i class={scene !== undefined && scene.visitors > 0 ? 'live-beat' : 'live-beat live-calm'} />
          {scene?.visitors === 1 ? 'visitor now' : 'visitors now'}
        </div>
        <div class="faint small">Seen in the last 5 minutes</div>
      </div>
      <Minutes minutes={scene?.minutes ?? []} />
    </section>
  );
}

function Minutes({ minutes }: { minutes: LiveScene['minutes'] }) {
  const format = useFormat();
  const most = Math.max(...minutes.map(({ visitors }) => visitors), 0);
  const spell = (count: number, one: string, many: string) =>
    `${format.number(count)} ${count === 1 ? one : many}`;
  const describe = ({ minutesAgo, visitors, pageViews }: LiveScene['minutes'][number]) => {
    const when = minutesAgo === 0 ? 'This minute' : `${minutesAgo} min ago`;
    const who = spell(visitors, 'visitor', 'visitors');
    return `${when}: ${who}, ${spell(pageViews, 'page view', 'page views')}`;
  };
  return (
    <div class="live-minutes">
      <div
        class="live-bars"
        role="img"
        aria-label={`Visitors in each of the last 30 minutes, ${format.number(most)} at most`}
      >
        {minutes.map((minute) => (
          <i key={minute.minutesAgo} title={describe(minute)}>
            <b style={{ height: `${most === 0 ? 0 : (minute.visitors / most) * 100}%` }} />
          </i>
        ))}
      </div>
      <div class="live-axis" aria-hidden="true">
        <span>30 min ago</span>
        <span>{most > 0 && `up to ${format.number(most)} a minute`}</span>
        <span>now</span>
      </div>
    </div>
  );
}
