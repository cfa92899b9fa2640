import { defineConfig } from 'vite';
import { dropKeys } from './build/drop-keys.ts';
import { importPlainly } from './build/import-plainly.ts';
import { orderModules } from './build/order-modules.ts';
import { preloadFont } from './build/preload-font.ts';
import { referencePage } from './build/reference/reference-page.ts';
import { snippetsFile } from './build/snippets-file.ts';

/** Vite requires a default export here. It is the only one in the project. */
export default defineConfig({
  plugins: [
    preloadFont(/inter-latin-wght-normal.*\.woff2$/),
    importPlainly(),
    dropKeys(),
    orderModules(/src\/main\.tsx$/),
    referencePage(),
    snippetsFile(),
  ],
  // Shorter than what the automatic runtime makes of the same elements.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'jsxElement', pragmaFrag: 'JsxFragment' },
    jsxInject: "import { Fragment as JsxFragment, h as jsxElement } from 'preact';",
  },
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
  },
});
