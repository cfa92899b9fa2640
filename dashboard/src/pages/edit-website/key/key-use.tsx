import type { WebsiteSettings } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { fill } from '#words/fill.ts';
import { useAccessWords } from '../access-words.ts';

/** Explains what "Copy header" copies, and says when the key was last used. */
export function KeyUse({ keyFacts: { masked, lastUsedAt } }: { keyFacts: WebsiteSettings['key'] }) {
  const { key: words } = useAccessWords();
  return (
    <div class="faint small">
      <p>{fill(words.copies, { header: <code>{`Authorization: ${masked.slice(0, 4)}…`}</code> })}</p>
      <p>{lastUsedAt === null ? words.notUsed : fill(words.lastUsed, { ago: <Ago at={lastUsedAt} /> })}</p>
    </div>
  );
}
