import { addDays } from '@trackside/contract/calendar/day.ts';
import { createLocalTimeOrUtc } from '@trackside/contract/calendar/local-time.ts';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { LinkButton } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { spellPart } from '#format/spell-part.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { useWebsites } from './websites-context.tsx';

/** A smaller share is no reason to interrupt. */
const minShare = 0.01;

/**
 * Says that many records of today or yesterday were refused, or never arrived. It is in the header, where it
 * moves nothing when it appears.
 */
export function LostHint({ websiteId }: { websiteId: number }) {
  const website = useWebsites().value?.websites.find(({ id }) => id === websiteId);
  return website === undefined ? null : <Hint website={website} />;
}

function Hint({ website: { id, timezone } }: { website: Website }) {
  const { header: words } = useSharedWords();
  const format = useFormat();
  const api = useApi();
  const today = createLocalTimeOrUtc(timezone)(Date.now()).day;
  const { value } = useResource(`lost ${id} ${today}`, (signal) =>
    api.ledger(id, addDays(today, -1), today, signal),
  );
  const day = value?.days.findLast(({ sent, refused, missing }) => refused + missing > sent * minShare);
  if (day === undefined) return null;
  const say = day.day === today ? words.lostToday : words.lostYesterday;
  const text = say(spellPart(day.refused + day.missing, day.sent, format));
  return (
    <span class="lost-hint">
      <LinkButton kind="quiet" isIconOnly icon="alert" title={text} href={`/websites/${id}/quality`}>
        {text}
      </LinkButton>
    </span>
  );
}
