import type { Ledger as Answer } from '#api/shapes.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { DaysCard } from './days-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { MissingCard } from './missing-card.tsx';
import { useQualityWords } from './quality-words.ts';
import { RefusalsCard } from './refusals-card.tsx';
import { ReleasesCard } from './releases-card.tsx';
import { Verdict } from './verdict.tsx';

type Props = { websiteId: number; days: number; ledger: Answer };

/** The account of a period. */
export function Ledger({ websiteId, days, ledger }: Props) {
  const { empty: words, since } = useQualityWords();
  const format = useFormat();
  if (ledger.totals.sent === 0)
    return ledger.since === null ? (
      <EmptyState
        title={words.title}
        action={<LinkButton href={`/websites/${websiteId}/integrate`}>{words.action}</LinkButton>}
      >
        {words.about}
      </EmptyState>
    ) : (
      <EmptyState title={words.inPeriod(format.number(days))}>
        {words.inPeriodAbout} {since(format.dayAndHour(ledger.since))}
      </EmptyState>
    );
  return (
    <div class="stack">
      <Verdict websiteId={websiteId} days={days} ledger={ledger} />
      <DaysCard websiteId={websiteId} ledger={ledger} />
      <RefusalsCard ledger={ledger} />
      <div class="quality-columns">
        <div class="stack">
          <ReleasesCard releases={ledger.releases} />
          <KeysCard keys={ledger.keys} />
        </div>
        <MissingCard ledger={ledger} />
      </div>
    </div>
  );
}
