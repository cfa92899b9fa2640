import type { Usage, Website } from '#api/shapes.ts';
import { Meter } from '#design/display/meter.tsx';
import { SiteLetter } from '#design/display/site-letter.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { WebsiteActivity } from './website-activity.tsx';
import { useWebsitesWords } from './websites-words.ts';

/** A website in one line, for those who have many. */
export function WebsiteRow({ website, isAdmin }: { website: Website; isAdmin: boolean }) {
  const words = useWebsitesWords();
  const { id, name, shownDomain, isDeleting, usage } = website;
  return (
    <article class="website-row">
      <SiteLetter name={name} id={id} />
      <div class="website-row-name">
        <h2 class="website-name cut">
          <a href={isDeleting ? `/websites/${id}/settings` : `/websites/${id}`}>{name}</a>
        </h2>
        {shownDomain !== name && <p class="website-domain cut">{shownDomain}</p>}
      </div>
      {isDeleting ? (
        <p class="website-away">{words.deleting}</p>
      ) : (
        <WebsiteActivity website={website} isCompact />
      )}
      <RowUsage usage={usage} />
      {isAdmin && (
        <LinkButton kind="quiet" isSmall isIconOnly icon="gear" href={`/websites/${id}/settings`}>
          {words.settingsOf(name)}
        </LinkButton>
      )}
    </article>
  );
}

/** The records of this month, above how much of the quota they are. */
function RowUsage({ usage: { used, limit } }: { usage: Usage }) {
  const { columns, quota: words } = useWebsitesWords();
  const format = useFormat();
  if (limit === null)
    return (
      <p class="website-row-usage">
        {format.number(used)}
        <span class="unseen"> {columns.usage}</span>
      </p>
    );
  const text = words.used(format.number(used), format.number(limit));
  return (
    <div class="website-row-usage" data-limited>
      <p>{text}</p>
      <Meter label={words.label} value={used} max={limit} valueText={text} />
    </div>
  );
}
