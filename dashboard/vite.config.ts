import { defineConfig } from 'vite';
import { dropKeys } from './build/drop-keys.ts';
import { importPlainly } from './build/import-plainly.ts';
import { preloadFont } from './build/preload-font.ts';
import { referencePage } from './build/reference/reference-page.ts';

const shellFiles = /node_modules\/|\/contract\/app\/|src\/(?:api|app|browser|design|format|forms|words)\//;

/** Vite wants a default export here; it is the only one in the project. */
export default defineConfig({
  plugins: [preloadFont(/inter-latin-wght-normal.*\.woff2$/), importPlainly(), dropKeys(), referencePage()],
  // `npm run dev` beside `npm start`: the pages come from Vite, the API from the node.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    // The browsers that know light-dark(), with which each colour is written once for both themes.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    manifest: 'manifest.json',
    // No data: addresses, so that the policy can forbid them; no inline script of Vite's own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One style sheet: its order does not depend on which page was opened first.
    cssCodeSplit: false,
    // What all pages share is in one file. Pages that are opened by the same people are together: each file
    // less is smaller, because what they have in common is packed once.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A translation is loaded as a whole, by those who read it.
            { name: 'german', test: /-german\.ts$|pages\/german\.ts$/, priority: 2 },
            {
              name: 'shell',
              test: shellFiles,
              priority: 1,
            },
            {
              name: 'analytics',
              test: /src\/pages\/(?:analytics|integrate|live|share|website)\//,
            },
            { name: 'settings', test: /src\/pages\// },
          ],
        },
      },
    },
  },
});
