import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const traceSources = fileURLToPath(new URL('./trace-sources.ts', import.meta.url));

type Source = { mtimeMs: number; size: number; sha256: string };

const urlOfOwnFile = /new URL\('([^']+)', import\.meta\.url\)/g;

/**
 * Writes a program and its libraries as a few files of JavaScript, because Node takes most of a start to find
 * and link hundreds of modules. `sources.json` lists what they were made of.
 */
export async function writeBundle(options: {
  main: string;
  dist: string;
  /** Packages that are not put into the bundle. */
  external: string[];
}): Promise<void> {
  const { main, dist, external } = options;
  const sources = new Map<string, Source>();
  rmSync(dist, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { main },
    external,
    platform: 'node',
    plugins: [noteSources(sources), keepOwnFiles(main, dist), leaveOutLazyParts('node:http')],
  });
  await bundle.write({
    dir: dist,
    // All files are in one folder, so that a module finds others from any of them.
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
  const listed = [...sources].map(([file, found]) => ({ file: relative(dist, file), ...found }));
  // This comes last, because a bundle without it is not used.
  writeFileSync(join(dist, 'sources.json'), `${JSON.stringify(listed, null, 2)}\n`);
}

/** Notes what the own files were like just before they are read, so that a later change shows. */
function noteSources(sources: Map<string, Source>): Plugin {
  return {
    name: 'note-sources',
    load(id) {
      if (!id.startsWith('/') || id.includes('/node_modules/')) return;
      const { mtimeMs, size } = statSync(id);
      const sha256 = createHash('sha256').update(readFileSync(id)).digest('hex');
      sources.set(id, { mtimeMs, size, sha256 });
    },
  };
}

/**
 * A module that names a file relative to itself has to find it from the folder of the bundle. If that file is
 * a program, which runs as a process or a thread, the bundle gets it too.
 */
function keepOwnFiles(main: string, dist: string): Plugin {
  const root = dirname(main);
  const programs = new Set([main]);
  return {
    name: 'keep-own-files',
    transform(code, id) {
      if (!id.startsWith(root)) return;
      const placed = code.replaceAll(urlOfOwnFile, (_, path: string) => {
        const file = resolve(dirname(id), path);
        if (!path.endsWith('.ts')) {
          return `new URL('${relative(dist, file)}${path.endsWith('/') ? '/' : ''}', import.meta.url)`;
        }
        const fileName = relative(root, file).replaceAll('/', '-').replace(/ts$/, 'js');
        programs.add(file);
        this.emitFile({ type: 'chunk', id: file, fileName });
        return `new URL('./${fileName}', import.meta.url)`;
      });
      const traced = programs.has(id) ? `import '${traceSources}'; ${placed}` : placed;
      // The lines are the same, so the source map stays right without a change.
      return traced === code ? undefined : { code: traced, map: null };
    },
  };
}

/**
 * Node loads the lazy parts of one of its modules as soon as a program imports any part of it. Those of
 * `node:http` are a whole client for web sockets, which takes 50 ms of processor time at each start. A program
 * that asks Node for the module itself doesn't load them.
 */
function leaveOutLazyParts(name: string): Plugin {
  const id = `\0${name}`;
  return {
    name: 'leave-out-lazy-parts',
    resolveId: (source, _importer, { kind }) =>
      source === name && kind === 'import-statement' ? id : undefined,
    load(loaded) {
      if (loaded !== id) return;
      const parts = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(name)));
      const eager = parts.filter(([, { value }]) => value !== undefined).map(([part]) => part);
      return `const all = process.getBuiltinModule('${name}'); export default all; export const { ${eager.join(', ')} } = all;`;
    },
  };
}
