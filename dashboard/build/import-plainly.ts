import type { Plugin } from 'vite';

const helperId = '\0vite/preload-helper.js';

/**
 * Omits what Vite wraps around the import of a translation. It would preload the files that the translation
 * needs, but there are none.
 */
export function importPlainly(): Plugin {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    load: (id) => (id === helperId ? 'export const __vitePreload = (load) => load();' : null),
  };
}
