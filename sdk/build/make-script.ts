import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = fileURLToPath(new URL('../src/script/browser-script.ts', import.meta.url));

/**
 * Returns the text for the browser: one function that is called at once, so that none of its names are
 * visible to the page.
 */
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

/** Returns the module with both texts, as it is committed. */
export async function makeScriptModule(): Promise<string> {
  const plain = await makeScript({ respectDoNotTrack: false });
  const respectful = await makeScript({ respectDoNotTrack: true });
  return `// Generated from browser-script.ts by \`node_modules/.bin/node sdk/build/write-script.ts\`.

const plain =
  ${quote(plain)};

const respectful =
  ${quote(respectful)};

/**
 * Returns the script for the browser. With \`respectDoNotTrack\`, it sends nothing under Do Not Track or GPC.
 */
export function scriptText(options: { respectDoNotTrack: boolean }): string {
  return options.respectDoNotTrack ? respectful : plain;
}
`;
}

/** Puts a text in single quotes, as the formatter does. */
const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
