import type { Website } from '#api/shapes.ts';
import { SiteLetter } from '#design/display/site-letter.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { WebsiteActivity } from './website-activity.tsx';
import { useWebsitesWords } from './websites-words.ts';

/** A website in one line, for those who have many. */
export function WebsiteRow({ website, isAdmin }: { website: Website; isAdmin: boolean }) {
  const words = useWebsitesWords();
  const format = useFormat();
  const { id, name, shownDomain, isDeleting, usage } = website;
  return (
    <article class="website-row">
      <SiteLetter name={name} id={id} />
      <div class="website-row-name">
        <h2 class="website-name cut">
          <a href={isDeleting ? `/websites/${id}/settings` : `/websites/${id}`}>{name}</a>
        </h2>
        <p class="website-domain cut">{shownDomain}</p>
      </div>
      {isDeleting ? (
        <p class="website-away">{words.deleting}</p>
      ) : (
        <WebsiteActivity website={website} isCompact />
      )}
      <p class="website-row-usage">
        {format.number(usage.used)}
        <span class="unseen"> {words.columns.usage}</span>
      </p>
      {isAdmin && (
        <LinkButton kind="quiet" isSmall isIconOnly icon="gear" href={`/websites/${id}/settings`}>
          {words.settingsOf(name)}
        </LinkButton>
      )}
    </article>
  );
}
