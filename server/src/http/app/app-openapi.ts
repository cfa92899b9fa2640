import * as shapes from '@trackside/contract/app/answers.ts';
import * as forms from '@trackside/contract/app/forms.ts';
import * as ledger from '@trackside/contract/app/ledger.ts';
import { maxBodyBytes, passwordLength } from '@trackside/contract/app/limits.ts';
import { createFaultAnswers, faultAnswer } from '../server/fault-answers.ts';
import { narrow } from '../server/narrow.ts';
import { type AppRoute, isAboutWebsite } from './app-route.ts';
import { type AppOptions, createApp } from './create-app.ts';

/** Shapes that have their own name in the document. */
const named: Record<string, object> = {
  AppFault: shapes.faultShape,
  AppFaultCode: shapes.faultCodeShape,
  Setup: shapes.setupShape,
  NewAdmin: forms.setupForm,
  Session: shapes.sessionShape,
  SessionUser: shapes.sessionShape.properties.user,
  SignIn: forms.signInForm,
  Sessions: shapes.sessionsShape,
  SessionItem: shapes.sessionItemShape,
  LanguageChoice: forms.chooseLanguageForm,
  PasswordChange: forms.changePasswordForm,
  Websites: shapes.websitesShape,
  Website: shapes.websiteShape,
  Usage: shapes.usageShape,
  NewWebsite: forms.addWebsiteForm,
  WebsiteSettings: shapes.websiteSettingsShape,
  WebsiteChange: forms.changeWebsiteForm,
  WebsiteRemoval: forms.deleteWebsiteForm,
  Deletion: shapes.deletionShape,
  ApiKey: shapes.apiKeyShape,
  NewApiKey: shapes.newApiKeyShape,
  KeyRenewal: forms.regenerateKeyForm,
  ShareChange: forms.shareForm,
  Share: shapes.shareShape,
  ReadTokens: shapes.readTokensShape,
  ReadToken: shapes.readTokenShape,
  NewReadToken: shapes.newReadTokenShape,
  TokenName: forms.addTokenForm,
  Person: forms.personForm,
  Erased: shapes.erasedShape,
  Activity: shapes.activityShape,
  LiveScene: shapes.liveSceneShape,
  RecentRequests: shapes.recentRequestsShape,
  RecentRequest: shapes.recentRequestShape,
  TestView: forms.testViewForm,
  TestViewAnswer: shapes.testViewShape,
  Exclusion: shapes.exclusionShape,
  Exclusions: forms.exclusionsForm,
  ExcludedRecords: shapes.excludedShape,
  Ledger: ledger.ledgerShape,
  LedgerCounts: ledger.ledgerCountsShape,
  LedgerRefusal: ledger.ledgerRefusalShape,
  LedgerRelease: ledger.ledgerReleaseShape,
  DryRun: forms.dryRunForm,
  DryRunAnswer: shapes.dryRunShape,
  Demo: shapes.demoShape,
  DemoDays: forms.loadDemoForm,
  Notes: shapes.notesShape,
  Note: shapes.noteShape,
  NewNote: forms.addNoteForm,
  SavedFunnels: shapes.funnelsShape,
  SavedFunnel: shapes.funnelShape,
  SavedFunnelStep: shapes.funnelStepShape,
  SavedFunnelParameter: shapes.funnelParameterShape,
  NewFunnel: forms.addFunnelForm,
  FunnelOrder: forms.arrangeFunnelsForm,
  SavedSegments: shapes.segmentsShape,
  SavedSegment: shapes.segmentShape,
  NewSegment: forms.addSegmentForm,
  SegmentChange: forms.changeSegmentForm,
  SavedGoals: shapes.goalsShape,
  SavedGoal: shapes.goalShape,
  NewGoal: forms.addGoalForm,
  GoalChange: forms.changeGoalForm,
  Users: shapes.usersShape,
  User: shapes.userShape,
  NewUser: forms.addUserForm,
  UserChange: forms.changeUserForm,
  Audit: shapes.auditShape,
  AuditEntry: shapes.auditEntryShape,
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

const newPassword = { minLength: passwordLength.min };
const email = { format: 'email' };
const day = { format: 'date' };
/** What the code that reads these members knows besides their schemas. */
const narrowed: Readonly<Record<string, Record<string, object>>> = {
  NewAdmin: { email, password: newPassword },
  SignIn: { email },
  PasswordChange: { newPassword },
  NewUser: { email, password: newPassword },
  UserChange: { password: newPassword },
  NewNote: { day },
  Note: { day },
};

export const appSchemas = Object.fromEntries(
  Object.entries(named).map(([name, shape]) => [
    name,
    narrow(withReferencesInside(shape), narrowed[name] ?? {}),
  ]),
);
export const sessionScheme = {
  type: 'apiKey',
  in: 'cookie',
  name: 'trackside_session',
  description:
    'Set when you sign in; with TLS, its name begins with __Host-. ' +
    'Every change also needs an Origin header with the origin of this server.',
};

/** The faults of all routes, by their names in the document. */
const faults = createFaultAnswers('AppFault', {
  400: 'The request is invalid; `fields` says what is wrong with each field.',
  401: 'Nobody is signed in.',
  403: "The user isn't allowed to do this, or the request comes from another origin.",
  404: "It doesn't exist, or the user doesn't have access to it.",
  405: 'The path has no such method.',
  413: `The body has more than ${maxBodyBytes / 1024} KiB.`,
  415: 'The Content-Type is not application/json.',
  503: 'The server cannot answer right now: try again after Retry-After seconds.',
});
export const appFaultAnswers = faults.named;

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
  const { method, path, access, summary, body, query = {}, answers } = route;
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => inPath(name!)),
    ...Object.entries(query).map(([name, { description, schema, isRequired = false }]) => ({
      name,
      in: 'query',
      required: isRequired,
      description,
      schema,
    })),
  ];
  return {
    operationId: operationId(method, path),
    summary,
    description: describe(route),
    tags: ['settings'],
    security: access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        description: 'JSON in UTF-8. Unknown fields are refused.',
        content: { 'application/json': { schema: body.schema } },
      },
    }),
    responses: {
      [answers.code]: { description: answers.description, ...contentOf(answers) },
      ...faultsOf(route),
    },
  };
}

const secretParts: Readonly<Record<string, string>> = {
  token: 'The secret of a public link.',
  sessionId: 'Id of a session.',
};

function inPath(name: string): object {
  const secret = secretParts[name];
  const description = secret ?? `Id of a ${name === 'id' ? 'website' : name.replace(/Id$/, '')}.`;
  const schema = secret === undefined ? { type: 'integer', minimum: 1 } : { type: 'string' };
  return { name, in: 'path', required: true, description, schema };
}

/** Says what else there is to know, and who may send this. */
function describe(route: AppRoute): string {
  const { method, access, description } = route;
  const users = isAboutWebsite(route) ? 'For users with access to the website.' : 'For signed-in users.';
  const forWhom = { anyone: 'Needs no session.', user: users, admin: 'For admins.' }[access];
  const origin = method === 'GET' ? '' : 'Needs an Origin header with the origin of this server.';
  return [description, forWhom, origin].filter(Boolean).join(' ');
}

function contentOf({ schema, type, types }: AppRoute['answers']): object {
  if (types !== undefined)
    return {
      content: Object.fromEntries(types.map((one) => [one.split(';', 1)[0], { schema: fileSchema }])),
    };
  return schema === undefined ? {} : { content: { [type ?? 'application/json']: { schema } } };
}

const fileSchema = { type: 'string', format: 'binary' };

/** Every answer of a route that is not a success: what all routes of its kind may give, and its own. */
function faultsOf(route: AppRoute): Record<string, object> {
  const { method, path, access, body, query, faults: own = {} } = route;
  const canHaveBody = method !== 'GET';
  return {
    ...(body || query ? faults.refer(400) : {}),
    ...(access === 'anyone' ? {} : faults.refer(401)),
    ...(access === 'admin' || method !== 'GET' ? faults.refer(403) : {}),
    ...(path.includes(':') ? faults.refer(404) : {}),
    ...faults.refer(405),
    ...(canHaveBody ? faults.refer(413, 415) : {}),
    ...faults.refer(503),
    ...Object.fromEntries(
      Object.entries(own).map(([status, says]) => [status, faultAnswer(Number(status), says, 'AppFault')]),
    ),
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
