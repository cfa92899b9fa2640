import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = fileURLToPath(new URL('../src/script/browser-script.ts', import.meta.url));

/** The text for the browser: one function that is called at once, so that the page sees none of its names. */
export async function makeScript(options: { respectDoNotTrack: boolean }): Promise<string> {
  const define = { respectDoNotTrack: `${options.respectDoNotTrack}` };
  const bundle = await rolldown({
    input: source,
    platform: 'browser',
    transform: { target: 'es2020', define },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code.trim();
}

/** The module that has both texts, as it is committed. */
export async function makeScriptModule(): Promise<string> {
  const plain = await makeScript({ respectDoNotTrack: false });
  const respectful = await makeScript({ respectDoNotTrack: true });
  return `// Made of browser-script.ts: change that, and run \`node_modules/.bin/node sdk/build/write-script.ts\`.

const plain =
  ${quote(plain)};

const respectful =
  ${quote(respectful)};

/**
 * The script for the browser; with \`respectDoNotTrack\` it sends nothing where Do Not Track or GPC is on.
 */
export function scriptText(options: { respectDoNotTrack: boolean }): string {
  return options.respectDoNotTrack ? respectful : plain;
}
`;
}

/** In single quotes, as the formatter has them. */
const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
