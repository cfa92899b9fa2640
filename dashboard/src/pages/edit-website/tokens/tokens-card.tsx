import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { ReadToken, WebsiteSettings } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { Ago } from '#design/display/ago.tsx';
import { Card } from '#design/display/card.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Button } from '#design/forms/button.tsx';
import { NewTokenForm } from './new-token-form.tsx';
import { OriginsForm } from './origins-form.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { TokenDialog } from './token-dialog.tsx';
import './tokens-card.css';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** The tokens that let programs read the statistics of this website, and nothing else. */
export function TokensCard({ settings, onChanged }: Props) {
  const { id: websiteId } = settings;
  const api = useApi();
  const tokens = useResource(`tokens ${websiteId}`, (signal) => api.tokens(websiteId, signal));
  const [made, setMade] = useState<string>();
  const [revoking, setRevoking] = useState<ReadToken>();
  return (
    <Card
      title="Read tokens"
      about={
        <>
          For programs that read the statistics through the API. They cannot send records.{' '}
          <a href="/reference">API reference</a>
        </>
      }
    >
      <Loaded resource={tokens} skeleton={<Skeleton height={44} />}>
        {({ tokens }) =>
          tokens.length > 0 && (
            <ul class="tokens">
              {tokens.map((token) => (
                <li class="token" key={token.id}>
                  <div class="grow">
                    <div class="cut">{token.name}</div>
                    <div class="faint small">
                      {token.lastUsedAt === null ? (
                        'Not used yet'
                      ) : (
                        <>
                          Last used <Ago at={token.lastUsedAt} />
                        </>
                      )}
                    </div>
                  </div>
                  <Button isSmall kind="danger-ghost" onClick={() => setRevoking(token)}>
                    Revoke<span class="unseen"> {token.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <NewTokenForm
        websiteId={websiteId}
        onMade={(token) => {
          setMade(token);
          tokens.reload();
        }}
      />
      <OriginsForm settings={settings} onChanged={onChanged} />
      {made !== undefined && <TokenDialog token={made} onClose={() => setMade(undefined)} />}
      {revoking !== undefined && (
        <RevokeDialog
          websiteId={websiteId}
          token={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={() => {
            setRevoking(undefined);
            tokens.reload();
          }}
        />
      )}
    </Card>
  );
}
