import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { WebsiteTitle } from '#app/frame/website-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { LinkButton } from '#design/forms/button.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { ContingentCard } from './contingent/contingent-card.tsx';
import { DataCard } from './data/data-card.tsx';
import { DeleteCard } from './delete/delete-card.tsx';
import { EditWebsiteSkeleton } from './edit-website-skeleton.tsx';
import { useEditWebsiteWords } from './edit-website-words.ts';
import { ExclusionsCard } from './exclusions/exclusions-card.tsx';
import { KeyCard } from './key/key-card.tsx';
import { PeopleCard } from './people/people-card.tsx';
import { RequestsCard } from './requests/requests-card.tsx';
import { SettingsNav } from './settings-nav.tsx';
import { ShareCard } from './share/share-card.tsx';
import { TokensCard } from './tokens/tokens-card.tsx';
import { AddressesForm } from './website/addresses-form.tsx';
import { WebsiteForm } from './website/website-form.tsx';
import './edit-website-page.css';

/** Keeps the last use of the key and the usage of the month up to date. */
const refreshMs = 15_000;

/** All settings of one website, with everything that gives access to it on the left. */
export function EditWebsitePage({ websiteId }: PageProps) {
  const words = useEditWebsiteWords();
  const { header } = useSharedWords();
  const api = useApi();
  const websites = useWebsites();
  const settings = useResource(
    `settings ${websiteId}`,
    (signal) => api.settings(websiteId, signal),
    refreshMs,
  );
  const onChanged = (changed: WebsiteSettings) => {
    settings.set(changed);
    websites.reload();
  };
  return (
    <>
      <WebsiteTitle
        title={words.title}
        websiteId={websiteId}
        actions={
          !settings.value?.isDeleting && (
            <div class="row">
              <LinkButton href={`/websites/${websiteId}/quality`}>{header.quality}</LinkButton>
              <LinkButton href={`/websites/${websiteId}/integrate`}>{words.sendRecords}</LinkButton>
            </div>
          )
        }
      />
      <Loaded resource={settings} skeleton={<EditWebsiteSkeleton />}>
        {(value) =>
          value.isDeleting ? (
            <div class="settings-deleting">
              <DeleteCard website={value} />
            </div>
          ) : (
            <div class="settings">
              <SettingsNav />
              <div class="settings-columns">
                <div class="settings-column">
                  <div class="stack">
                    <div id="key">
                      <KeyCard settings={value} onChanged={onChanged} />
                    </div>
                    <div id="requests">
                      <RequestsCard websiteId={websiteId} />
                    </div>
                    <div id="tokens">
                      <TokensCard settings={value} onChanged={onChanged} />
                    </div>
                  </div>
                  <div class="stack">
                    <div id="share">
                      <ShareCard settings={value} onChanged={onChanged} />
                    </div>
                    <div id="people">
                      <PeopleCard websiteId={websiteId} />
                    </div>
                  </div>
                </div>
                <div class="settings-column">
                  <div class="stack">
                    <div id="website">
                      <WebsiteForm settings={value} onChanged={onChanged} />
                    </div>
                    <div id="addresses">
                      <AddressesForm settings={value} onChanged={onChanged} />
                    </div>
                    <div id="exclusions">
                      <ExclusionsCard settings={value} onChanged={onChanged} />
                    </div>
                  </div>
                  <div class="stack">
                    <div id="quota">
                      <ContingentCard settings={value} onChanged={onChanged} />
                    </div>
                    <div id="data">
                      <DataCard settings={value} onChanged={onChanged} />
                    </div>
                    <div id="delete">
                      <DeleteCard website={value} onBegun={settings.reload} />
                    </div>
                  </div>
                </div>
              </div>
            </div>
          )
        }
      </Loaded>
    </>
  );
}
