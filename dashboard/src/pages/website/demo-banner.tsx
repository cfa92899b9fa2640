import { useEffect, useRef } from 'preact/hooks';
import { useIsAdmin } from '#app/session/session-context.ts';
import { Banner } from '#design/display/banner.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import type { DemoControl } from './use-demo.ts';
import { useWebsiteWords } from './website-words.ts';

/** Marks a website that has demo data, and removes it. */
export function DemoBanner({ control: { demo, remove } }: { control: DemoControl }) {
  const { demo: words } = useWebsiteWords();
  const format = useFormat();
  const isAdmin = useIsAdmin();
  const say = useToast();
  const spellFault = useSpellFault();
  const isRemoving = demo?.state === 'removing';
  const wasRemoving = useRef(false);
  useEffect(() => {
    // Everything that the page has loaded is about records that are gone.
    if (wasRemoving.current && demo?.state === 'none') location.reload();
    wasRemoving.current = isRemoving;
  }, [demo?.state, isRemoving]);
  if (demo === undefined || demo.state === 'none') return null;
  return (
    <div class="quota" role="status">
      <Banner kind="info">
        <b>{isRemoving ? words.removing : words.title}</b>{' '}
        {isRemoving ? words.removingAbout : format.count(demo.records, words.about)}
        {isAdmin && !isRemoving && (
          <div class="row">
            <Button
              isSmall
              onClick={async () => {
                const answer = await remove();
                if (!answer.isOk) say(spellFault(answer.fault), { isBad: true });
              }}
            >
              {words.remove}
            </Button>
          </div>
        )}
      </Banner>
    </div>
  );
}
