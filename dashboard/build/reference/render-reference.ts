import type { ApiDocument, Operation } from './api-document.ts';
import { code, escapeHtml, prose } from './html.ts';
import { type Listed, renderOperation } from './render-operation.ts';
import { renderSchema, schemaId } from './render-schema.ts';

const listOperations = ({ paths }: ApiDocument): Listed[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );

/** The logo, as in src/app/frame/mark.tsx. */
const mark = `<svg class="mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
<rect width="22" height="22" rx="6" fill="var(--accent)"/>
<path d="M7 18 10 4M15 18 12 4M7.6 14h6.8M8.6 9.5h4.8" stroke="var(--accent-ink)" stroke-width="1.7"
stroke-linecap="round" fill="none"/></svg>`;

/** Returns a page that shows the document: every request, then every schema. It works without script. */
export function renderReference(document: ApiDocument, styleSheets: readonly string[]): string {
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
${styleSheets.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="wrap reference">
<header class="header">
<a class="header-mark" href="/websites">${mark}<span>Trackside</span></a>
</header>
<main class="main">
<div class="page-title">
<nav class="crumbs" aria-label="Breadcrumb"><a href="/websites">Websites</a></nav>
<div class="page-title-row"><h1>${escapeHtml(title)}</h1></div>
</div>
<div class="reference-about">
${prose(info.description)}
<p>Generate a client from the OpenAPI document: <a href="/openapi.json">openapi.json</a> or
<a href="/openapi.yaml">openapi.yaml</a>.</p>
</div>
<div class="reference-columns">
<nav class="reference-contents" aria-label="Contents">${contents.join('')}</nav>
<div class="reference-body" id="content" tabindex="-1">${body.join('\n')}</div>
</div>
</main>
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
