import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import type { ApiDocument } from './api-document.ts';
import { renderReference } from './render-reference.ts';

const documentFile = new URL('../../../contract/openapi.yaml', import.meta.url);
const styleFile = new URL('reference.css', import.meta.url);

/**
 * Adds the OpenAPI document to the files that a node serves, and a page that shows it to people. The page is
 * made here rather than by the node, because reading the document would block a thread that accepts records.
 */
export function referencePage(): Plugin {
  return {
    name: 'reference-page',
    apply: 'build',
    generateBundle: {
      // After Vite has named the style sheet of the application, which the page shares.
      order: 'post',
      handler(_options, bundle) {
        const text = readFileSync(documentFile, 'utf8');
        const add = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source });
        const document = parse(text) as ApiDocument;
        add('openapi.yaml', text);
        add('openapi.json', JSON.stringify(document));
        // The address that the document had first.
        add('api/openapi.yaml', text);
        const shared = Object.keys(bundle).find((name) => /^assets\/style-.*\.css$/.test(name));
        assert.ok(shared !== undefined, 'the application has one style sheet');
        add('reference.html', renderReference(document, [`/${shared}`, '/reference.css']));
        add('reference.css', readFileSync(styleFile, 'utf8'));
      },
    },
  };
}
