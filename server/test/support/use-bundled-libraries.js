// Loaded before the tests and the servers that they start. TypeBox and Kysely are 900 small files, which take
// a third of each start to find and load. `scripts/bundle-libraries.ts` writes them as a few large files.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const packages = new URL('../../../node_modules/', import.meta.url).href;
const bundles = new URL('.cache/libraries/', packages);
const files = JSON.parse(readFileSync(new URL('libraries.json', bundles), 'utf8'));

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!Object.hasOwn(files, specifier) || context.parentURL?.startsWith(packages))
      return nextResolve(specifier, context);
    return { url: new URL(files[specifier], bundles).href, format: 'module', shortCircuit: true };
  },
});
