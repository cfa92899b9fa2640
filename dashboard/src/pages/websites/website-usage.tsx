import type { Usage } from '#api/shapes.ts';
import { Meter } from '#design/display/meter.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useWebsitesWords } from './websites-words.ts';

/** The usage of this month's contingent in two lines. */
export function WebsiteUsage({ usage: { used, limit, resetsAt } }: { usage: Usage }) {
  const { quota: words } = useWebsitesWords();
  const format = useFormat();
  if (limit === null)
    return (
      <div class="website-usage">
        <p>
          {/* Demo data doesn't use the quota, so 0 wouldn't mean that there are no records. */}
          {used > 0 && <span>{format.count(used, words.unlimited)}</span>}
          <span>{words.noLimit}</span>
        </p>
      </div>
    );
  const text = words.used(format.number(used), format.number(limit));
  return (
    <div class="website-usage">
      <p>
        <span>{text}</span>
        <span>{words.resets(format.utcShortDay(resetsAt))}</span>
      </p>
      <Meter label={words.label} value={used} max={limit} valueText={text} />
    </div>
  );
}
