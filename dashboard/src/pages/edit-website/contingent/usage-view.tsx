import type { Usage } from '#api/shapes.ts';
import { useNow } from '#browser/use-now.ts';
import { Meter } from '#design/display/meter.tsx';
import { forecastUsage } from '#format/forecast-usage.ts';
import { useFormat } from '#format/format-context.tsx';

/** How much of the month's contingent is used, and how much will be by its end. */
export function UsageView({ usage, createdAt }: { usage: Usage; createdAt: string }) {
  const format = useFormat();
  const nowMs = useNow(60_000);
  const { used, limit, resetsAt } = usage;
  const month = format.utcMonth(new Date(Date.parse(resetsAt) - 1).toISOString());
  const forecast = forecastUsage(usage, createdAt, nowMs);
  const of = limit === null ? `records in ${month}` : `of ${format.number(limit)} records in ${month}`;
  return (
    <div class="stack-tight">
      <p>
        <b>{format.number(used)}</b> <span class="muted">{of}</span>
      </p>
      {limit !== null && (
        <Meter
          label="Contingent used this month"
          value={used}
          max={limit}
          valueText={`${format.number(used)} ${of}`}
        />
      )}
      <p class="faint small">
        {limit === null ? 'No limit is set.' : `Resets on ${format.utcDay(resetsAt)}, 00:00 UTC.`}{' '}
        {limit !== null && used >= limit && <b class="usage-full">Further records are refused until then.</b>}
        {forecast !== undefined && (limit === null || used < limit) && (
          <>
            At this pace it will be about {format.number(forecast.total)}
            {forecast.usedUpAt === undefined ? '.' : `: used up around ${format.utcDay(forecast.usedUpAt)}.`}
          </>
        )}
      </p>
    </div>
  );
}
