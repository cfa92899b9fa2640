import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { snippetFiles } from '../src/pages/integrate/list-snippets.ts';

const folder = new URL('../../examples/snippets/', import.meta.url);
const fileName = 'snippets.json';

/**
 * Adds the programs that the page shows to the files that a node serves. They are not part of the script,
 * because few people open that page.
 */
export function snippetsFile(): Plugin {
  return {
    name: 'snippets-file',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: readSnippets() });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(readSnippets());
      });
    },
  };
}

/** Returns the programs by the names of their files. */
export function readSnippets(): string {
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  return JSON.stringify(Object.fromEntries(snippetFiles.map((name) => [name, read(name)])));
}
