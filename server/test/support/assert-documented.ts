import assert from 'node:assert/strict';
import { faultShape } from '@trackside/contract/app/answers.ts';
import { answerSchemas, batchLineSchema, statsFaultSchema } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import { type AppOptions, createApp } from '../../src/http/app/create-app.ts';
import { healthSchema } from '../../src/http/server/health-openapi.ts';
import { trackingSchemas } from '../../src/http/tracking/tracking-openapi.ts';
import { documentedAnswers } from './documented-answers.ts';
import { assertFits } from './strict-schema.ts';

/** An answer of a node, as far as its schema depends on it. */
export type Came = { method: string; path: string; status: number; type: string | null; text: string };

/** Fails if the OpenAPI document does not list a status of a request, or the type of its answer. */
export function assertListed({ method, path, status, type }: Omit<Came, 'text'>): void {
  // A browser asks this before the question itself. The document describes what programs send.
  if (method === 'OPTIONS' || status === 304) return;
  const documented = documentedAnswers(method, path);
  if (documented === undefined) return;
  const about = `the answer ${status} of ${method} ${path}`;
  if (!documented.isOperation) {
    assert.ok(status >= 400, `${about} is a success that the OpenAPI document does not list`);
    return;
  }
  const answer = documented.answers.get(status);
  assert.ok(answer !== undefined, `${about} is not in the OpenAPI document`);
  const types = Object.keys(answer.content ?? {});
  const came = type === null ? undefined : type.split(';', 1)[0];
  const isListed = came === undefined ? types.length === 0 || method === 'HEAD' : types.includes(came);
  assert.ok(isListed, `${about} has the type ${came}, but the OpenAPI document lists ${types}`);
}

/** Fails if an answer does not fit its schema. Answers that have none pass. */
export function assertDocumented({ method, path, status, type, text }: Came): void {
  if (text === '' || !type?.startsWith('application/')) return;
  const schema = schemaOf(method, path, status);
  if (schema === undefined) return;
  const values = type.startsWith('application/x-ndjson') ? text.trimEnd().split('\n') : [text];
  for (const value of values)
    assertFits(schema, JSON.parse(value), `the answer ${status} of ${method} ${path}`);
}

/** With the schema that it refers to. */
const trackingAnswer = {
  ...trackingSchemas.Answer,
  properties: { ...trackingSchemas.Answer.properties, Understood: trackingSchemas.Understood },
};

function schemaOf(method: string, path: string, status: number): object | undefined {
  if (path === '/health') return method === 'GET' ? healthSchema : trackingAnswer;
  if (path === '/api/page-view' || path === '/api/event-view') return trackingAnswer;
  if (path === '/api/batch') return status < 300 ? trackingSchemas.RecordBatchAnswer : trackingAnswer;
  const kind = /^\/api\/stats\/(\w+)$/.exec(path)?.[1];
  if (kind === undefined) return settingsSchemaOf(method, path, status);
  if (status >= 400) return statsFaultSchema;
  return kind === 'batch' ? batchLineSchema : answerSchemas[kind as StatsKind];
}

// Routes are data, so they can be listed without the parts that they would call.
const routes = createApp({ control: {} } as AppOptions).map(({ method, path, answers }) => ({
  method,
  shape: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  answers,
}));

function settingsSchemaOf(method: string, path: string, status: number): object | undefined {
  const route = routes.find((one) => one.method === method && one.shape.test(path));
  if (route === undefined) return undefined;
  return status === route.answers.code ? route.answers.schema : faultShape;
}
