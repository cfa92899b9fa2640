import type { Usage } from '#api/shapes.ts';
import { useNow } from '#browser/use-now.ts';
import { Meter } from '#design/display/meter.tsx';
import { forecastUsage } from '#format/forecast-usage.ts';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

/** How much of the month's quota is used, and how much will be by its end. */
export function UsageView({ usage, createdAt }: { usage: Usage; createdAt: string }) {
  const { quota: words } = useEditWebsiteWords();
  const format = useFormat();
  const nowMs = useNow(60_000);
  const { used, limit, resetsAt } = usage;
  const month = format.utcMonth(new Date(Date.parse(resetsAt) - 1).toISOString());
  const forecast = forecastUsage(usage, createdAt, nowMs);
  const isFull = limit !== null && used >= limit;
  const sentence =
    limit === null ? format.count(used, words.usedIn(month)) : words.usedOf(format.number(limit), month);
  const usedText = format.number(used);
  return (
    <div class="stack-tight">
      <p class="muted">{fill(sentence, { used: <b class="usage-used">{usedText}</b> })}</p>
      {limit !== null && (
        <Meter
          label={words.used}
          value={used}
          max={limit}
          valueText={sentence.replace('{used}', () => usedText)}
        />
      )}
      <p class="faint small">
        {limit === null ? words.noLimitSet : words.resets(format.utcDay(resetsAt))}{' '}
        {isFull && <b class="usage-full">{words.full}</b>}
        {forecast !== undefined &&
          !isFull &&
          (forecast.usedUpAt === undefined
            ? words.forecast(format.number(forecast.total))
            : words.forecastFull(format.number(forecast.total), format.utcDay(forecast.usedUpAt)))}
      </p>
    </div>
  );
}
