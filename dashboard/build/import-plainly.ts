import type { Plugin } from 'vite';

const helperId = '\0vite/preload-helper.js';

/**
 * Omits what Vite wraps around each import of a page. It would preload the files that the page's file needs,
 * but they are already loaded: there is one style sheet, and all pages share one other file.
 */
export function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    load: (id) => (id === helperId ? 'export const __vitePreload = (load) => load();' : null),
  };
}
