import { useEffect } from 'preact/hooks';
import { Mark } from '#app/frame/mark.tsx';
import '#app/frame/front-door.css';

/** Shown for a link that was mistyped, renewed or turned off. It deliberately doesn't say which. */
export function DeadLink() {
  useEffect(() => {
    document.title = 'No such link · Trackside';
  }, []);
  return (
    <main class="wrap main">
      <div class="door">
        <Mark size={40} />
        <h1 tabIndex={-1}>This link does not work, or no longer</h1>
        <p class="door-about">
          It may be mistyped, or whoever gave it to you has taken it back. Ask them for a new one.
        </p>
      </div>
    </main>
  );
}
