import type { ApiDocument, Content, Operation } from './api-document.ts';
import { code, escapeHtml, prose } from './html.ts';
import { renderSchema, schemaId } from './render-schema.ts';

type Listed = { method: string; path: string; operation: Operation };

/** The name of each group of requests, in the order of the page. */
const groups: Readonly<Record<string, string>> = {
  tracking: 'Tracking',
  statistics: 'Statistics',
  settings: 'Settings',
  operating: 'Operating',
};

/** Returns a page that shows the document: every request, then every schema. It works without script. */
export function renderReference({ info, paths, components }: ApiDocument): string {
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
  const title = `${info.title} API reference`;
  const schemas = Object.entries(components.schemas).sort(([a], [b]) => a.localeCompare(b));
  const inGroup = (tag: string) => listed.filter(({ operation }) => operation.tags.includes(tag));
  const contents = [
    ...Object.entries(groups).map(([tag, name]) => contentsOf(name, inGroup(tag).map(toEntry))),
    contentsOf(
      'Schemas',
      schemas.map(([name]) => [schemaId(name), code(name)]),
    ),
  ];
  const body = [
    ...Object.entries(groups).map(
      ([tag, name]) =>
        `<h2>${name}</h2>${inGroup(tag)
          .map((one) => operationOf(one, components.securitySchemes))
          .join('')}`,
    ),
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
<p>Generate a client from the <a href="/api/openapi.yaml">OpenAPI document</a>.</p>
</header>
<nav aria-label="Contents">${contents.join('')}</nav>
<main id="content" tabindex="-1">${body.join('\n')}</main>
</body>
</html>
`;
}

const toEntry = ({ method, path, operation }: Listed): [id: string, shown: string] => [
  operation.operationId,
  `${code(`${method.toUpperCase()} ${path}`)} ${escapeHtml(operation.summary)}`,
];

function contentsOf(name: string, entries: readonly (readonly [string, string])[]): string {
  const items = entries.map(([id, shown]) => `<li><a href="#${id}">${shown}</a></li>`);
  return `<details><summary>${name}</summary><ul>${items.join('')}</ul></details>`;
}

function operationOf(
  { method, path, operation }: Listed,
  schemes: ApiDocument['components']['securitySchemes'],
): string {
  const { operationId, summary, security = [], parameters = [], requestBody, responses } = operation;
  const names = security.flatMap((one) => Object.keys(one));
  const parts = [
    `<h3>${code(`${method.toUpperCase()} ${path}`)}</h3>`,
    `<p class="summary">${escapeHtml(summary)}</p>`,
    ...names.map((name) => `<h4>Access</h4>${prose(schemes[name]!.description)}`),
  ];
  if (parameters.length > 0) {
    const rows = parameters.map(({ name, in: place, required, description, schema }) => {
      const mark = required ? '' : ' <span class="optional">optional</span>';
      const about = renderSchema(description === undefined ? schema : { ...schema, description });
      return `<dt>${code(name)} in the ${place}${mark}</dt><dd>${about}</dd>`;
    });
    parts.push(`<h4>Parameters</h4><dl>${rows.join('')}</dl>`);
  }
  if (requestBody !== undefined) {
    const mark = requestBody.required ? '' : ' <span class="optional">optional</span>';
    const about = requestBody.description === undefined ? '' : prose(requestBody.description);
    parts.push(`<h4>Body${mark}</h4>${about}${contentOf(requestBody.content)}`);
  }
  const answers = Object.entries(responses).map(([status, { description, headers = {}, content = {} }]) => {
    const named = Object.keys(headers).map(code).join(', ');
    const shownHeaders = named === '' ? '' : `<p>Headers: ${named}</p>`;
    return `<dt>${status}</dt><dd>${prose(description)}${shownHeaders}${contentOf(content)}</dd>`;
  });
  parts.push(`<h4>Answers</h4><dl>${answers.join('')}</dl>`);
  return `<section id="${operationId}">${parts.join('')}</section>`;
}

function contentOf(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => `<div class="content">${code(type)} ${renderSchema(schema)}</div>`)
    .join('');
}
