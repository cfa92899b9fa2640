import type { WebsiteSettings } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';

/** Explains what "Copy header" copies, and says when the key was last used. */
export function KeyUse({ keyFacts: { masked, lastUsedAt } }: { keyFacts: WebsiteSettings['key'] }) {
  return (
    <p class="faint small">
      Copy header gives <code>Authorization: {masked.slice(0, 4)}…</code> ·{' '}
      {lastUsedAt === null ? (
        'Not used yet'
      ) : (
        <>
          Last used <Ago at={lastUsedAt} />
        </>
      )}
    </p>
  );
}
