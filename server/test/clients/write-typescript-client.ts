import { nameOfReference, type Request, readDocument, type Schema, valuesOf } from './read-document.ts';

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'Record<string, unknown>',
};

/** Generates a client in TypeScript: a type for each schema, and a function for each request. */
export function writeTypeScriptClient(): string {
  const { schemas, requests } = readDocument();
  const types = Object.entries(schemas).map(([name, schema]) => `export type ${name} = ${toType(schema)};`);
  return `${types.join('\n')}

export function createClient(origin: string, headers: Record<string, string>) {
  async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(origin + path, { method, headers, ...sent });
    const answer = await response.json();
    if (!response.ok) throw answer;
    return answer as Answer;
  }
  return {
${requests.map(toFunction).join('\n')}
  };
}
`;
}

function toFunction({ name, method, path, parameters, body, answer }: Request): string {
  const inputs = parameters.map((one) => `${one.name}: ${toType(one.type)}`);
  if (body !== undefined) inputs.push(`body: ${toType(body)}`);
  const address = path.replaceAll('{', '${');
  const sent = body === undefined ? '' : ', body';
  const call = `ask<${toType(answer)}>('${method}', \`${address}\`${sent})`;
  return `    ${name}: (${inputs.join(', ')}) => ${call},`;
}

function toType(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return choices.map(toType).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items !== undefined) return `readonly (${toType(schema.items)})[]`;
  if (schema.properties !== undefined) return toObject(schema.properties, schema.required ?? []);
  const values = valuesOf(schema);
  if (values !== undefined) return `{ [name: string]: ${toType(values)} }`;
  if (schema.type === undefined) return 'unknown';
  return [schema.type].flat().map(toPlainType).join(' | ');
}

function toObject(properties: Record<string, Schema>, required: readonly string[]): string {
  const members = Object.entries(properties).map(
    ([name, member]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${toType(member)}`,
  );
  return `{ ${members.join('; ')} }`;
}

function toPlainType(type: string): string {
  const plain = plainTypes[type];
  if (plain === undefined) throw new Error(`expected a type of JSON Schema, got ${type}`);
  return plain;
}
