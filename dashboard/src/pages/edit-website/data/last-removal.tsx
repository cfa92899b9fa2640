import type { WebsiteSettings } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { fill } from '#words/fill.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

/** Says when the server last removed records that are too old. */
export function LastRemoval({ retention: { lastRunAt } }: Pick<WebsiteSettings, 'retention'>) {
  const { retention: words } = useEditWebsiteWords();
  return (
    <p class="faint small">
      {lastRunAt === null ? words.notYet : fill(words.lastRun, { ago: <Ago at={lastRunAt} /> })}
    </p>
  );
}
