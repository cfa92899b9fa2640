import type { Website } from '#api/shapes.ts';
import { SiteLetter } from '#design/display/site-letter.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { WebsiteActivity } from './website-activity.tsx';
import { WebsiteUsage } from './website-usage.tsx';
import { useWebsitesWords } from './websites-words.ts';

export function WebsiteCard({ website, isAdmin }: { website: Website; isAdmin: boolean }) {
  const words = useWebsitesWords();
  const { id, name, shownDomain, isDeleting } = website;
  return (
    <article class="card website">
      <div class="website-head">
        <SiteLetter name={name} id={id} />
        <div class="grow">
          <h2 class="website-name cut">
            <a href={isDeleting ? `/websites/${id}/settings` : `/websites/${id}`}>{name}</a>
          </h2>
          {shownDomain !== name && <p class="website-domain cut">{shownDomain}</p>}
        </div>
        {isAdmin && (
          <LinkButton kind="quiet" isSmall isIconOnly icon="gear" href={`/websites/${id}/settings`}>
            {words.settingsOf(name)}
          </LinkButton>
        )}
      </div>
      {isDeleting ? (
        <div class="website-numbers">
          <p class="website-away">{words.deleting}</p>
        </div>
      ) : (
        <WebsiteActivity website={website} />
      )}
      <WebsiteUsage usage={website.usage} />
    </article>
  );
}
