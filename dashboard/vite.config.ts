import { defineConfig } from 'vite';
import { dropKeys } from './build/drop-keys.ts';
import { importPlainly } from './build/import-plainly.ts';
import { preloadFont } from './build/preload-font.ts';
import { referencePage } from './build/reference/reference-page.ts';
import { snippetsFile } from './build/snippets-file.ts';

const shellFiles = /node_modules\/|\/contract\/app\/|src\/(?:api|app|browser|design|format|forms|words)\//;

/** Vite requires a default export here. It is the only one in the project. */
export default defineConfig({
  plugins: [
    preloadFont(/inter-latin-wght-normal.*\.woff2$/),
    importPlainly(),
    dropKeys(),
    referencePage(),
    snippetsFile(),
  ],
  // With `npm run dev` beside `npm start`, the pages come from Vite and the API from the node.
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    // The browsers that support light-dark(), which lets each color be written once for both themes.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    manifest: 'manifest.json',
    // No data: URLs, so that the policy can forbid them, and no inline script from Vite.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One style sheet, so that its order doesn't depend on which page was opened first.
    cssCodeSplit: false,
    // What all pages share is in one file. Pages that the same people open are bundled together: fewer files
    // are smaller, because common parts are compressed once.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A translation is loaded as a whole, by people who read it.
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
