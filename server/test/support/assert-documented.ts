import { answerSchemas, batchLineSchema, statsFaultSchema } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';
import { healthSchema } from '../../src/http/server/health-schema.ts';
import { assertFits } from './strict-schema.ts';

/** An answer of a node, as far as its schema depends on it. */
export type Came = { path: string; status: number; type: string | null; text: string };

/** Fails if an answer of the statistics or of /health does not fit its schema. Other answers pass. */
export function assertDocumented({ path, status, type, text }: Came): void {
  if (text === '' || !type?.startsWith('application/')) return;
  const schema = schemaOf(path, status);
  if (schema === undefined) return;
  const values = type.startsWith('application/x-ndjson') ? text.trimEnd().split('\n') : [text];
  for (const value of values) assertFits(schema, JSON.parse(value), `the answer ${status} of ${path}`);
}

function schemaOf(path: string, status: number): object | undefined {
  if (path === '/health') return healthSchema;
  const kind = /^\/api\/stats\/(\w+)$/.exec(path)?.[1];
  if (kind === undefined) return undefined;
  if (status >= 400) return statsFaultSchema;
  return kind === 'batch' ? batchLineSchema : answerSchemas[kind as StatsKind];
}
