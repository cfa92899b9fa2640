import { toDay } from '@trackside/contract/calendar/day.ts';
import type { Ledger, LedgerCounts } from '#api/shapes.ts';
import { Icon } from '#design/display/icon.tsx';
import { useFormat } from '#format/format-context.tsx';
import { spellPart } from '#format/spell-part.ts';
import { lostOf } from './lost.ts';
import { useQualityWords } from './quality-words.ts';
import { kinds } from './use-spell-counts.ts';

type Props = { websiteId: number; days: number; ledger: Ledger };

/** Says in one sentence whether everything was counted, and accounts for every record below it. */
export function Verdict({ websiteId, days, ledger }: Props) {
  const words = useQualityWords();
  const format = useFormat();
  const { totals, timezone, from, since, numbered } = ledger;
  const isFine = lostOf(totals) === 0;
  const links: Partial<Record<keyof LedgerCounts, { hash: string; label: string }>> = {
    excluded: { hash: 'exclusions', label: words.exclusions },
    overQuota: { hash: 'quota', label: words.quota },
  };
  return (
    <section class="card">
      <div class="verdict" data-fine={isFine}>
        <Icon name={isFine ? 'check' : 'alert'} />
        <div>
          <h2>{useVerdict(totals, days)}</h2>
          <p class="muted">
            {isFine && `${format.count(totals.sent, words.records)}, `}
            {`${format.span(ledger)}, ${timezone}. `}
            {since !== null && toDay(Date.parse(since)) >= from && words.since(format.dayAndHour(since))}
          </p>
        </div>
      </div>
      <div class="parts" aria-hidden="true">
        {kinds
          .slice(0, -1)
          .filter((kind) => totals[kind] > 0)
          .map((kind) => (
            <i key={kind} class="part" data-kind={kind} style={{ flexGrow: totals[kind] }} />
          ))}
      </div>
      <dl class="counts">
        {kinds.map((kind) => {
          const isUnknown = kind === 'missing' && numbered === 0;
          const link = totals[kind] > 0 && links[kind];
          return (
            <div key={kind}>
              <dt>
                <i class="swatch" data-kind={kind} />
                {words.counts[kind]}
              </dt>
              <dd>
                <b>{isUnknown ? words.unknown : format.number(totals[kind])}</b>
                {kind !== 'repeated' && totals[kind] > 0 && (
                  <span class="faint">{spellPart(totals[kind], totals.sent, format)}</span>
                )}
                <p class="muted note">
                  {isUnknown ? words.unnumbered : words.abouts[kind]}{' '}
                  {link && <a href={`/websites/${websiteId}/settings#${link.hash}`}>{link.label}</a>}
                </p>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function useVerdict(totals: LedgerCounts, days: number): string {
  const { verdict: words, records } = useQualityWords();
  const format = useFormat();
  const { sent, refused, missing, excluded, overQuota } = totals;
  const lost = lostOf(totals);
  if (lost === 0) return (excluded > 0 ? words.allowed : words.all)(format.number(days));
  const sentence =
    overQuota > 0 ? words.lost : missing === 0 ? words.refused : refused === 0 ? words.missing : words.both;
  return sentence(spellPart(lost, sent, format), format.count(sent, records));
}
