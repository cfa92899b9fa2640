import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { type Resource, useResource } from '#api/use-resource.ts';

type Websites = Resource<{ websites: Website[] }>;

const WebsitesContext = createContext<Websites | undefined>(undefined);

const refreshMs = 60_000;

/** Provides the user's websites, which the header and several pages show. */
export function WebsitesProvider({ children }: { children: ComponentChildren }) {
  const api = useApi();
  const resource = useResource('websites', api.websites, refreshMs);
  const { reload, set } = resource;
  // Other tabs learn at once what was added, changed or deleted in this one.
  const tabs = useMemo(() => new BroadcastChannel('websites'), []);
  useEffect(() => {
    tabs.addEventListener('message', reload);
    return () => tabs.close();
  }, [tabs, reload]);
  const changes = useMemo(
    () => ({
      reload() {
        reload();
        tabs.postMessage('changed');
      },
      set(value: { websites: Website[] }) {
        set(value);
        tabs.postMessage('changed');
      },
    }),
    [reload, set, tabs],
  );
  const websites = { ...resource, ...changes };
  return <WebsitesContext.Provider value={websites}>{children}</WebsitesContext.Provider>;
}

export function useWebsites(): Websites {
  const websites = useContext(WebsitesContext);
  if (websites === undefined) throw new Error('expected to be inside of WebsitesProvider');
  return websites;
}
