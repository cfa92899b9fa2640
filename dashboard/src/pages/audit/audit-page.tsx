import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { AuditEntry } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { EmptyState } from '#design/display/empty-state.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { AuditDays } from './audit-days.tsx';
import { useAuditWords } from './audit-words.ts';

type Page = { entries: AuditEntry[]; hasMore: boolean };

/** Lists who did what and when. */
export function AuditPage() {
  const words = useAuditWords();
  const spellFault = useSpellFault();
  const api = useApi();
  const say = useToast();
  const first = useResource('audit', (signal) => api.audit(undefined, signal));
  const [older, setOlder] = useState<Page>();
  const [isBusy, setIsBusy] = useState(false);

  async function loadOlder(last: AuditEntry | undefined): Promise<void> {
    if (last === undefined) return;
    setIsBusy(true);
    const answer = await api.audit(last.id);
    setIsBusy(false);
    if (!answer.isOk) return say(spellFault(answer.fault), { isBad: true });
    const { entries, hasMore } = answer.value;
    setOlder((before) => ({ entries: [...(before?.entries ?? []), ...entries], hasMore }));
  }
  return (
    <div class="narrow audit-width">
      <PageTitle title={words.title} tabTitle={words.title} about={words.about} />
      <Loaded resource={first} skeleton={<Skeleton height={420} />}>
        {(page) => {
          // Entries that moved to the second page when the first was reloaded are not shown twice.
          const oldest = page.entries.at(-1)?.id ?? 0;
          const entries = [...page.entries, ...(older?.entries ?? []).filter(({ id }) => id < oldest)];
          if (entries.length === 0)
            return <EmptyState title={words.empty.title}>{words.empty.about}</EmptyState>;
          return (
            <div class="stack">
              <AuditDays entries={entries} />
              {(older ?? page).hasMore && (
                <div class="row audit-more">
                  <Button isBusy={isBusy} onClick={() => loadOlder(entries.at(-1))}>
                    {words.older}
                  </Button>
                </div>
              )}
            </div>
          );
        }}
      </Loaded>
    </div>
  );
}
