import type { Plugin } from 'vite';

const helperId = '\0vite/preload-helper.js';

/**
 * Leaves out what Vite puts around each import of a page. It would fetch the files that the page's own file
 * needs, but those are there already: there is one style sheet, and all pages share one other file.
 */
export function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    load: (id) => (id === helperId ? 'export const __vitePreload = (load) => load();' : null),
  };
}
