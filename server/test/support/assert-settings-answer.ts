import { faultShape } from '@trackside/contract/app/answers.ts';
import { type AppOptions, createApp } from '../../src/http/app/create-app.ts';
import { assertFits } from './strict-schema.ts';

// Routes are data, so they can be listed without the parts that they would call.
const routes = createApp({ control: {} } as AppOptions).map(({ method, path, answers }) => ({
  method,
  shape: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  answers,
}));

/** Fails if an answer of the settings API does not fit the schema of its route. Other answers pass. */
export function assertSettingsAnswer(method: string, path: string, status: number, body: unknown): void {
  const [plainPath] = path.split('?', 1);
  const route = routes.find((one) => one.method === method && one.shape.test(plainPath!));
  if (route === undefined) return;
  const schema = status === route.answers.code ? route.answers.schema : faultShape;
  if (schema === undefined) throw new Error(`expected no body of ${method} ${path}, got ${status}`);
  assertFits(schema, body, `the answer ${status} of ${method} ${path}`);
}
