import type { ShareAnswer } from '#api/shapes.ts';
import { shareAccess } from '#api/stats-access.ts';
import { useLive } from '#api/use-live.ts';
import { HeaderTools } from '#app/frame/header-tools.tsx';
import { Mark } from '#app/frame/mark.tsx';
import { ThemeSwitch } from '#app/frame/theme-switch.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useShareWords } from './share-words.ts';
import '#app/frame/header.css';

type Props = { website: ShareAnswer['website'] | undefined; token: string; search: string };

/** Names the website. It links nowhere, because the rest of the application is not public. */
export function ShareHeader({ website, token, search }: Props) {
  const words = useShareWords();
  const format = useFormat();
  const { scene, isAway } = useLive(website && shareAccess(token));
  const visitors = scene === undefined || isAway ? undefined : scene.visitors;
  // An address that names a theme should be seen in it, so it has no theme switch.
  const hasTheme = new URLSearchParams(search).has('theme');
  return (
    <header class="header">
      <Mark size={22} />
      <div class="share-site">
        <div class="cut share-domain">{website?.shownDomain}</div>
        <div class="share-note">{words.publicView}</div>
      </div>
      {visitors !== undefined && (
        <span class="share-live" title={words.visitorsHint}>
          <i class={visitors > 0 ? 'live-count-dot' : 'live-count-dot live-count-calm'} />
          <span class="unseen">{format.count(visitors, words.nowInFull)}</span>
          <span aria-hidden="true">{fill(words.now, { count: <b>{format.number(visitors)}</b> })}</span>
        </span>
      )}
      <span class="grow" />
      <HeaderTools />
      {!hasTheme && <ThemeSwitch />}
    </header>
  );
}
