import * as shapes from '@trackside/contract/app/answers.ts';
import { type AppRoute, isAboutWebsite } from './app-route.ts';
import { type AppOptions, createApp } from './create-app.ts';

/** Shapes that have their own name in the document. */
const named: Record<string, object> = {
  AppFault: shapes.faultShape,
  Session: shapes.sessionShape,
  Website: shapes.websiteShape,
  WebsiteSettings: shapes.websiteSettingsShape,
  Activity: shapes.activityShape,
  LiveScene: shapes.liveSceneShape,
  RecentRequest: shapes.recentRequestShape,
  ReadToken: shapes.readTokenShape,
  User: shapes.userShape,
  AuditEntry: shapes.auditEntryShape,
  Note: shapes.noteShape,
  SavedFunnel: shapes.funnelShape,
  SavedFunnelStep: shapes.funnelStepShape,
  SavedFunnelParameter: shapes.funnelParameterShape,
  SavedSegment: shapes.segmentShape,
  SavedGoal: shapes.goalShape,
  Deletion: shapes.deletionShape,
};
/**
 * Finds the name of a shape. Those of the statistics carry theirs. An optional member has a copy of its shape,
 * with the same properties.
 */
function nameOf(shape: object): string | undefined {
  if ('$id' in shape) return String(shape.$id);
  const propertiesOf = (one: object) => (one as { properties?: object }).properties;
  const properties = propertiesOf(shape);
  const isSame = (one: object) =>
    one === shape || (properties !== undefined && propertiesOf(one) === properties);
  return Object.keys(named).find((name) => isSame(named[name]!));
}

export const appSchemas = Object.fromEntries(
  Object.entries(named).map(([name, shape]) => [name, withReferencesInside(shape)]),
);
export const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: 'trackside_session',
  description:
    'Set when you sign in; with TLS, its name begins with __Host-. ' +
    'Every change also needs an Origin header with the origin of this server.',
};

const fault = (description: string) => ({
  description,
  content: { 'application/json': { schema: shapes.faultShape } },
});

/** Returns the paths of the settings API, described from the routes that answer it. */
export function appPaths(): Record<string, Record<string, unknown>> {
  // Routes are data, so they can be described without the parts that they would call.
  const nothing = { control: {} } as AppOptions;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of createApp(nothing)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: withReferences(operation(route)) };
  }
  return paths;
}

/** Replaces each named shape with a reference to it. */
function withReferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const name = nameOf(value);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Array.isArray(value) ? value.map(withReferences) : withReferencesInside(value);
}

function withReferencesInside(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences(member)]));
}

function operation(route: AppRoute): Record<string, unknown> {
  const { method, path, access, summary, body, query, answers, faults = {} } = route;
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: name === 'token' ? 'string' : 'integer' },
    })),
    ...Object.entries(query ?? {}).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ];
  return {
    operationId: operationId(method, path),
    summary,
    tags: ['settings'],
    security: access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: body.schema } } },
    }),
    responses: {
      [answers.code]: {
        description: answers.description,
        ...(answers.schema && {
          content: { [answers.type ?? 'application/json']: { schema: answers.schema } },
        }),
      },
      ...(body && { 400: fault('Something in the body is invalid; `fields` says what.') }),
      ...(access !== 'anyone' && { 401: fault('Nobody is signed in.') }),
      ...((access === 'admin' || method !== 'GET') && {
        403: fault("The user isn't allowed to do this, or the request comes from another origin."),
      }),
      ...(isAboutWebsite(route) && {
        404: fault("The website doesn't exist, or the user doesn't have access to it."),
      }),
      ...(path.includes(':token') && { 404: fault('The link is invalid or was revoked.') }),
      ...(answers.type !== undefined && { 503: fault('Too many streams are open.') }),
      ...Object.fromEntries(Object.entries(faults).map(([code, why]) => [code, fault(why)])),
      default: fault('All other faults, such as a body that is too large (413), have the same shape.'),
    },
  };
}

function operationId(method: string, path: string): string {
  const words = path
    .replace('/api/', '')
    .split('/')
    .map((part) => (part.startsWith(':') ? `by-${part.slice(1)}` : part))
    .join('-');
  return `${method.toLowerCase()}-${words}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
