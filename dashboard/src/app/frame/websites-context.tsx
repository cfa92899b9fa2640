import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { type Resource, useResource } from '#api/use-resource.ts';
import { useProvided } from '#browser/use-provided.ts';

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
  const tell = () => tabs.postMessage('changed');
  const websites: Websites = {
    ...resource,
    reload() {
      reload();
      tell();
    },
    set(value) {
      set(value);
      tell();
    },
  };
  return <WebsitesContext.Provider value={websites}>{children}</WebsitesContext.Provider>;
}

export const useWebsites = (): Websites => useProvided(WebsitesContext);
