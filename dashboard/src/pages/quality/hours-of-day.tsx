import { useApi } from '#api/api-context.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';
import { listHours } from './list-hours.ts';
import { lostOf } from './lost.ts';
import { useQualityWords } from './quality-words.ts';
import { useSpellCounts } from './use-spell-counts.ts';

type Props = { websiteId: number; timezone: string; day: string };

/** A bar for each hour of a day, with the lost part on top. */
export function HoursOfDay({ websiteId, timezone, day }: Props) {
  const { calendar: words } = useQualityWords();
  const format = useFormat();
  const api = useApi();
  const spellCounts = useSpellCounts();
  const ledger = useResource(`hours ${websiteId} ${day}`, (signal) =>
    api.ledger(websiteId, day, day, signal),
  );
  return (
    <Loaded resource={ledger} skeleton={<Skeleton height={127} />}>
      {({ hours }) => {
        const most = Math.max(1, ...hours.map(({ sent }) => sent));
        return (
          <>
            <p class="faint small">{words.hours(timezone)}</p>
            <ol class="hours">
              {listHours(day, timezone).map((hour, index) => {
                const counts = hours.find((one) => Date.parse(one.hour) === hour);
                const time = format.hourIn(new Date(hour).toISOString(), timezone);
                const title = `${time}: ${spellCounts(counts)}`;
                return (
                  <li key={hour} title={title} data-time={index % 6 === 0 ? time : undefined}>
                    <span class="unseen">{title}</span>
                    {counts !== undefined && (
                      <i
                        class="hour"
                        data-lost={lostOf(counts) > 0}
                        style={{
                          height: `${(counts.sent / most) * 100}%`,
                          '--lost': `${(lostOf(counts) / counts.sent) * 100}%`,
                        }}
                      />
                    )}
                  </li>
                );
              })}
            </ol>
          </>
        );
      }}
    </Loaded>
  );
}
