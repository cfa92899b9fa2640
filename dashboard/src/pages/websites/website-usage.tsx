import type { Usage } from '#api/shapes.ts';
import { Meter } from '#design/display/meter.tsx';
import { useFormat } from '#format/format-context.tsx';

/** The usage of this month's contingent in two lines. */
export function WebsiteUsage({ usage: { used, limit, resetsAt } }: { usage: Usage }) {
  const format = useFormat();
  if (limit === null)
    return (
      <div class="website-usage">
        <p>
          <span>{format.number(used)} records this month</span>
          <span>no limit</span>
        </p>
      </div>
    );
  const text = `${format.number(used)} of ${format.number(limit)} records`;
  return (
    <div class="website-usage">
      <p>
        <span>{text}</span>
        <span>resets {format.utcShortDay(resetsAt)}</span>
      </p>
      <Meter label="Contingent used this month" value={used} max={limit} valueText={text} />
    </div>
  );
}
