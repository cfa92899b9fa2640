// TypeBox and Kysely come as 900 small files, and finding and loading those takes a third of a start.
// `npm run build` also writes them as a few large ones (scripts/bundle-libraries.ts). Where these are there,
// and of the versions that are installed, our own code gets them instead.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const packages = new URL('../../node_modules/', import.meta.url);
const bundles = new URL('.cache/libraries/', packages);

const files = findBundles();
if (files !== undefined) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = files.get(specifier);
      if (url === undefined || context.parentURL?.startsWith(packages.href))
        return nextResolve(specifier, context);
      return { url, format: 'module', shortCircuit: true };
    },
  });
}

/** The address of each bundle by what is imported, such as `typebox/value`. */
function findBundles() {
  try {
    const { versions, files } = readJson(new URL('libraries.json', bundles));
    for (const [name, version] of Object.entries(versions))
      if (readJson(new URL(`${name}/package.json`, packages)).version !== version) return undefined;
    return new Map(Object.entries(files).map(([name, file]) => [name, new URL(file, bundles).href]));
  } catch {
    return undefined;
  }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
