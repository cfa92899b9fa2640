import type { Answer, ApiDocument, Content, Operation, Reference } from './api-document.ts';
import { code, escapeHtml, prose } from './html.ts';
import { renderSchema } from './render-schema.ts';

export type Listed = { method: string; path: string; operation: Operation };
type Components = ApiDocument['components'];

/** Shows one request: who may send it, what it takes, and everything that it can answer. */
export function renderOperation({ method, path, operation }: Listed, components: Components): string {
  const { operationId, summary, description, security = [], parameters = [], requestBody } = operation;
  const names = security.flatMap((one) => Object.keys(one));
  const parts = [
    `<h3>${escapeHtml(summary)}</h3>`,
    `<p><code><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</code></p>`,
    prose(description),
    ...names.map((name) => `<h4>Access</h4>${prose(components.securitySchemes[name]!.description)}`),
  ];
  if (parameters.length > 0) {
    const rows = parameters.map(({ name, in: place, required, description: about, schema }) => {
      const shown = renderSchema(about === undefined ? schema : { ...schema, description: about });
      return `<dt>${code(name)} in the ${place}${required ? '' : optional}</dt><dd>${shown}</dd>`;
    });
    parts.push(`<h4>Parameters</h4><dl>${rows.join('')}</dl>`);
  }
  if (requestBody !== undefined) {
    const about = requestBody.description === undefined ? '' : prose(requestBody.description);
    const shown = contentOf(requestBody.content, components);
    parts.push(`<h4>Body${requestBody.required ? '' : optional}</h4>${about}${shown}`);
  }
  parts.push(`<h4>Answers</h4><dl>${answersOf(operation, components)}</dl>`);
  return `<section id="${operationId}">${parts.join('')}</section>`;
}

const optional = ' <span class="optional">optional</span>';

function answersOf({ responses }: Operation, components: Components): string {
  const rows = Object.entries(responses).map(([status, answer]) => {
    const { description, headers = {}, content = {} } = resolve(answer, components.responses);
    const named = Object.entries(headers).map(([name, header]) => {
      const about = header.description === undefined ? '' : `: ${escapeHtml(header.description)}`;
      return `<li>${code(name)}${about.replaceAll('`', '')}</li>`;
    });
    const shownHeaders = named.length === 0 ? '' : `<p>Headers</p><ul>${named.join('')}</ul>`;
    const shown = `${prose(description)}${contentOf(content, components)}${shownHeaders}`;
    return `<dt class="status">${status}</dt><dd>${shown}</dd>`;
  });
  return rows.join('');
}

function contentOf(content: Content, components: Components): string {
  return Object.entries(content)
    .map(([type, { schema, examples }]) => {
      const shown = `<div class="content">${code(type)} ${renderSchema(schema)}</div>`;
      return examples?.example === undefined ? shown : shown + exampleOf(examples.example, components);
    })
    .join('');
}

function exampleOf(reference: Reference, { examples }: Components): string {
  const { value } = resolve<{ value: unknown }>(reference, examples);
  const text = escapeHtml(JSON.stringify(value, null, 2));
  return `<details><summary>Example</summary><pre><code>${text}</code></pre></details>`;
}

function resolve<Part extends object = Answer>(part: Part | Reference, named: Record<string, Part>): Part {
  return '$ref' in part ? named[part.$ref.split('/').at(-1)!]! : part;
}
