import type { ApiDocument, Operation } from './api-document.ts';
import { code, escapeHtml, prose } from './html.ts';
import { type Listed, renderOperation } from './render-operation.ts';
import { renderSchema, schemaId } from './render-schema.ts';

const listOperations = ({ paths }: ApiDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );

/** Returns a page that shows the document: every request, then every schema. It works without script. */
export function renderReference(document: ApiDocument): string {
  const { info, tags, components } = document;
  const listed = listOperations(document);
  const title = `${info.title} API reference`;
  const schemas = Object.entries(components.schemas).sort(([a], [b]) => a.localeCompare(b));
  const inGroup = (tag: string) => listed.filter(({ operation }) => operation.tags.includes(tag));
  const contents = [
    ...tags.map(({ name }) => contentsOf(capitalize(name), inGroup(name).map(toEntry))),
    contentsOf(
      'Schemas',
      schemas.map(([name]) => [schemaId(name), code(name)]),
    ),
  ];
  const body = [
    ...tags.map(({ name, description }) => {
      const operations = inGroup(name).map((one) => renderOperation(one, components));
      return `<h2>${capitalize(name)}</h2>${prose(description)}${operations.join('')}`;
    }),
    '<h2>Schemas</h2>',
    ...schemas.map(
      ([name, schema]) =>
        `<section id="${schemaId(name)}"><h3>${code(name)}</h3>${renderSchema(schema)}</section>`,
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/theme.js"></script>
<link rel="stylesheet" href="/reference.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<h1>${escapeHtml(title)}</h1>
${prose(info.description)}
<p>Generate a client from the OpenAPI document: <a href="/openapi.json">openapi.json</a> or
<a href="/openapi.yaml">openapi.yaml</a>.</p>
</header>
<div class="columns">
<nav aria-label="Contents">${contents.join('')}</nav>
<main id="content" tabindex="-1">${body.join('\n')}</main>
</div>
</body>
</html>
`;
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const toEntry = ({ operation }: { operation: Operation }): [id: string, shown: string] => [
  operation.operationId,
  escapeHtml(operation.summary),
];

function contentsOf(name: string, entries: readonly (readonly [string, string])[]): string {
  const items = entries.map(([id, shown]) => `<li><a href="#${id}">${shown}</a></li>`);
  return `<details><summary>${name}</summary><ul>${items.join('')}</ul></details>`;
}
