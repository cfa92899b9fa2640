import type { Plugin } from 'vite';

/**
 * What is changed in uPlot. It makes a format for numbers as soon as it is loaded, in the language of the
 * browser: where a system puts a name there that is no language, such as en-US@posix, that throws, and with
 * it the page is gone. The rest are drawings and helpers that we do not use; without these lines nothing
 * holds them in the bundle.
 */
const changes: readonly (readonly [given: string, mended: string])[] = [
  ["new Intl.NumberFormat(domEnv ? nav.language : 'en-US')", "new Intl.NumberFormat('en-US')"],
  ['(paths.stepped = stepped);', ''],
  ['(paths.bars    = bars);', ''],
  ['uPlot.join = join;', ''],
];

export function mendUplot(): Plugin {
  return {
    name: 'mend-uplot',
    transform: {
      filter: { id: /node_modules\/uplot\/.*\.js$/ },
      handler(code) {
        const strange = changes.find(([given]) => !code.includes(given));
        if (strange !== undefined)
          throw new Error(`mend-uplot: expected "${strange[0]}" in uPlot, got a version without it`);
        const mended = changes.reduce((text, [given, better]) => text.replace(given, better), code);
        return { code: mended, map: null };
      },
    },
  };
}
