import { useEffect } from 'preact/hooks';
import { Mark } from '#app/frame/mark.tsx';
import { useShareWords } from './share-words.ts';
import '#app/frame/front-door.css';

/** Shown for a link that was mistyped, renewed or turned off. It deliberately doesn't say which. */
export function DeadLink() {
  const { dead: words } = useShareWords();
  useEffect(() => {
    document.title = words.tabTitle;
  }, [words.tabTitle]);
  return (
    <main class="wrap main">
      <div class="door">
        <Mark size={40} />
        <h1 tabIndex={-1}>{words.title}</h1>
        <p class="door-about">{words.about}</p>
      </div>
    </main>
  );
}
