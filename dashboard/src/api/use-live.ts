import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { useApi } from './api-context.ts';
import { createLiveLines, type LiveState, noLiveState } from './create-live-lines.ts';
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
  const api = useApi();
  const path = access?.livePath;
  const [told, setTold] = useState<{ path: string; state: LiveState }>();
  useEffect(() => {
    if (path === undefined) return;
    return lines.listen(path, (state) => setTold({ path, state }));
  }, [lines, path]);
  // The state of another website is never shown.
  const known = path === undefined ? noLiveState : lines.state(path);
  const state = told !== undefined && told.path === path ? told.state : known;
  useEffect(() => {
    // A line breaks for many reasons. The outcome of this request is what the banner of the connection shows.
    if (state.isLost) void api.setup();
  }, [api, state.isLost]);
  return state;
}
