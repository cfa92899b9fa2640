import type { Schema } from './api-document.ts';
import { code, prose } from './html.ts';

export const schemaId = (name: string) => `schema-${name}`;

/** Shows a schema: what a value is in a few words, then its members if it is an object. */
export function renderSchema(schema: Schema): string {
  const shown = `<span class="type">${spell(schema)}</span>`;
  const about = schema.description === undefined ? '' : prose(schema.description);
  return `${shown}${about}${members(schema)}`;
}

function members(schema: Schema): string {
  const { properties = {}, required = [], items } = schema;
  const rows = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? '' : ' <span class="optional">optional</span>';
    return `<dt>${code(name)}${mark}</dt><dd>${renderSchema(member)}</dd>`;
  });
  const own = rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
  const choices = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(items === undefined ? [] : [items])];
  return own + choices.map(members).join('');
}

/** Says in words which values a schema allows. */
function spell(schema: Schema): string {
  if (schema.$ref !== undefined) return link(schema.$ref);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(spell).join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (schema.items !== undefined) return `list of ${spell(schema.items)}${bounds(schema)}`;
  const values = schema.patternProperties
    ? Object.values(schema.patternProperties)[0]
    : schema.additionalProperties;
  if (typeof values === 'object') return `object with any names, each ${spell(values)}`;
  return `${[schema.type ?? 'anything'].flat().join(' or ')}${bounds(schema)}`;
}

function link(reference: string): string {
  const name = reference.split('/').at(-1)!;
  return `<a href="#${schemaId(name)}">${name}</a>`;
}

function bounds(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format, pattern } = schema;
  const parts = [
    format === undefined ? '' : `, ${format}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern === undefined ? '' : `, matching ${code(pattern)}`,
  ];
  return parts.join('');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const show = (bound: number) => bound.toLocaleString('en-US');
  if (least !== undefined && most !== undefined) return `, ${show(least)} to ${show(most)}${unit}`;
  if (least !== undefined) return `, at least ${show(least)}${unit}`;
  return most === undefined ? '' : `, at most ${show(most)}${unit}`;
}
