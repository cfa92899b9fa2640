import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { type Resource, useResource } from '#api/use-resource.ts';

type Websites = Resource<{ websites: Website[] }>;

const WebsitesContext = createContext<Websites | undefined>(undefined);

const refreshMs = 60_000;

/** Provides the user's websites, which the header and several pages show. */
export function WebsitesProvider({ children }: { children: ComponentChildren }) {
  const api = useApi();
  const websites = useResource('websites', api.websites, refreshMs);
  return <WebsitesContext.Provider value={websites}>{children}</WebsitesContext.Provider>;
}

export function useWebsites(): Websites {
  const websites = useContext(WebsitesContext);
  if (websites === undefined) throw new Error('expected to be inside of WebsitesProvider');
  return websites;
}
