import type { Period } from '@trackside/contract/calendar/period.ts';
import { maxRows } from '@trackside/contract/stats/limits.ts';
import { useState } from 'preact/hooks';
import { useStatsApi } from '#api/api-context.ts';
import { saveFile } from '#browser/save-file.ts';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useNames } from '#format/names.ts';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { periodOf } from '../../view/periods.ts';
import type { Listing } from '../list/listing.ts';
import { usePanelsWords } from '../panels-words.ts';
import { detailsQuestion, type Wish } from './details-question.ts';

type Props = { listing: Listing; wish: Wish; period: Period | undefined };

/** Saves all pages of the table as a CSV file. */
export function CsvButton({ listing, wish, period }: Props) {
  const { website, access, shown, today } = useAnalytics();
  const statsApi = useStatsApi();
  const names = useNames();
  const words = usePanelsWords();
  const say = useToast();
  const spellFault = useSpellFault();
  const [isBusy, setIsBusy] = useState(false);

  async function save(): Promise<void> {
    if (period === undefined) return;
    setIsBusy(true);
    const question = detailsQuestion(
      listing,
      { ...wish, page: 0 },
      shown,
      periodOf(shown, today),
      names,
      today,
    );
    const answer = await statsApi.csv(access, { ...question, limit: maxRows });
    setIsBusy(false);
    if (!answer.isOk) return say(spellFault(answer.fault), { isBad: true });
    const { plural } = words.listings[listing.id];
    const { from, to } = period;
    saveFile(answer.value, words.details.file({ domain: website.shownDomain, plural, from, to }));
  }

  return (
    <Button isBusy={isBusy} isDisabled={period === undefined} onClick={save}>
      {words.details.saveAsCsv}
    </Button>
  );
}
