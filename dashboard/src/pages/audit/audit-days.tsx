import type { AuditEntry } from '#api/shapes.ts';
import { useFormat } from '#format/format-context.tsx';
import { useAuditWords } from './audit-words.ts';
import { describeEntry, nameActor } from './describe-entry.ts';
import './audit-days.css';

/** The entries of the audit log, grouped by day. */
export function AuditDays({ entries }: { entries: readonly AuditEntry[] }) {
  const words = useAuditWords();
  const format = useFormat();
  const days = Map.groupBy(entries, ({ at }) => format.longDay(at));
  return (
    <div class="card audit">
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 class="audit-day">{day}</h2>
          <ol>
            {ofDay.map((entry) => (
              <li class="audit-entry" key={entry.id}>
                <time class="faint" dateTime={entry.at} title={format.dayAndHour(entry.at)}>
                  {format.hour(entry.at)}
                </time>
                <span>
                  <b>{nameActor(entry, words)}</b> {describeEntry(entry, words, format)}
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
