import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { createLiveLines, type LiveState } from './create-live-lines.ts';
import type { StatsAccess } from './stats-access.ts';

/** Shared by the whole page, so that the header and the live view use the same line. */
const LiveLinesContext = createContext(
  createLiveLines({
    open: (path) => new EventSource(path),
    isVisible: () => document.visibilityState === 'visible',
    listenForVisibility(listener) {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    later(callback, ms) {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  }),
);

/** Returns the live state of a website as it changes. Without access, nothing is requested. */
export function useLive(access: StatsAccess | undefined): LiveState {
  const lines = useContext(LiveLinesContext);
  const path = access?.livePath;
  const [told, setTold] = useState<{ path: string; state: LiveState }>();
  useEffect(() => {
    if (path === undefined) return;
    return lines.listen(path, (state) => setTold({ path, state }));
  }, [lines, path]);
  // The state of another website is never shown.
  if (told !== undefined && told.path === path) return told.state;
  return path === undefined ? { scene: undefined, isAway: false } : lines.state(path);
}
