import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { ReadToken, WebsiteSettings } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { Ago } from '#design/display/ago.tsx';
import { Card } from '#design/display/card.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Button } from '#design/forms/button.tsx';
import { fill } from '#words/fill.ts';
import { useAccessWords } from '../access-words.ts';
import { NewTokenForm } from './new-token-form.tsx';
import { OriginsForm } from './origins-form.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { TokenDialog } from './token-dialog.tsx';
import './tokens-card.css';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** The tokens that let programs read the statistics of this website, and nothing else. */
export function TokensCard({ settings, onChanged }: Props) {
  const { tokens: words, key } = useAccessWords();
  const { id: websiteId } = settings;
  const api = useApi();
  const tokens = useResource(`tokens ${websiteId}`, (signal) => api.tokens(websiteId, signal));
  const [made, setMade] = useState<string>();
  const [revoking, setRevoking] = useState<ReadToken>();
  return (
    <Card
      title={words.title}
      about={fill(words.about, { reference: <a href="/reference">{words.reference}</a> })}
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
                      {token.lastUsedAt === null
                        ? key.notUsed
                        : fill(key.lastUsed, { ago: <Ago at={token.lastUsedAt} /> })}
                    </div>
                  </div>
                  <Button
                    isSmall
                    kind="danger-ghost"
                    aria-label={words.revokeNamed(token.name)}
                    onClick={() => setRevoking(token)}
                  >
                    {words.revoke}
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
