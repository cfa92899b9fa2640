import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The parts of the OpenAPI document that a client is generated from. */
export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
};

/** A request with a JSON body, or none, and a JSON answer. */
export type Request = {
  name: string;
  method: string;
  path: string;
  parameters: readonly { name: string; type: Schema }[];
  body: Schema | undefined;
  answer: Schema;
};

type Content = Record<string, { schema: Schema } | undefined>;
type Operation = {
  operationId: string;
  parameters?: readonly { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const file = new URL('../../../contract/openapi.yaml', import.meta.url);

/** Reads the committed document as a generator of clients would: from its text alone. */
export function readDocument(): { schemas: Record<string, Schema>; requests: Request[] } {
  const { paths, components } = parse(readFileSync(file, 'utf8')) as ApiDocument;
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => toRequest(method, path, operation)),
  );
  return { schemas: components.schemas, requests };
}

function toRequest(method: string, path: string, operation: Operation): Request[] {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const answer = success?.[1].content?.['application/json']?.schema;
  if (answer === undefined) return [];
  const parameters = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => ({ name, type: schema }));
  const body = operation.requestBody?.content['application/json']?.schema;
  return [{ name: operation.operationId, method: method.toUpperCase(), path, parameters, body, answer }];
}

export const nameOfReference = (reference: string) => {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`expected a reference to a schema, got ${reference}`);
  return name;
};

/** The schema of the values of an object with arbitrary names, if it is one. */
export function valuesOf({ additionalProperties, patternProperties }: Schema): Schema | undefined {
  if (patternProperties !== undefined) return Object.values(patternProperties)[0];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
