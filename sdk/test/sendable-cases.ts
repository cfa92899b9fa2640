import type { ContractCase } from '../../server/test/contract/load-cases.ts';

/** The members of a body that a client takes. It makes the outermost object itself. */
const membersByPath: Record<string, string[]> = {
  '/api/page-view': ['Metrics'],
  '/api/event-view': ['Name', 'Parameters', 'Metrics'],
};

export type SendableBody = { Metrics: never; Name: never; Parameters: never };

/** Bodies that no caller can make a client send, whatever it passes. */
export const leftOut: Record<string, string> = {
  'refused/metrics-and-says-metrics.json': 'the outermost object',
  'refused/parameters-and-says-parameters.json': 'the outermost object',
  'refused/body-of-4-mib.json': 'the outermost object',
  'refused/body-of-512-kib-and-one-byte.json': 'the outermost object',
  'refused/unknown-key-before-it-looks-at-the-size.json': 'the outermost object',
  'refused/parameters-that-are-an-object.json': 'the short form of parameters, which clients take',
  'refused/screen-width-too-large-for-a-double.json': 'how JSON is written',
};

/** Returns why a case is not for clients, or undefined if it is. */
export function reasonToLeaveOut({ request, file, about }: ContractCase): string | undefined {
  if (about === 'OccurredAt') return 'when it happened';
  if (request.method !== 'POST' || membersByPath[request.path] === undefined) return 'another path or method';
  const isFramed = request.contentEncoding !== undefined || request.isChunked || request.expectsContinue;
  if (isFramed || Object.keys(request.headers).length > 0) return 'how HTTP carries it';
  return isObject(request.body) ? leftOut[file] : 'a body that is no JSON object';
}

function isObject(body: Buffer | undefined): boolean {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body),
    );
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns what a program passes to a client to send this case. */
export function readBody({ request }: ContractCase): SendableBody {
  const body = JSON.parse(request.body!.toString());
  const members = membersByPath[request.path]!.filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(members.map((name) => [name, body[name]])) as SendableBody;
}

/** The websites that the cases are about, with their contingents. Null means no limit. */
export const caseWebsites = { 'free.test': null, 'limited.test': 100_000, 'used-up.test': 0 };

/** Returns the API key that a case sends. */
export function keyOf(
  { request: { authorization } }: ContractCase,
  keys: Record<keyof typeof caseWebsites, string>,
): string {
  if (typeof authorization === 'object')
    return 'value' in authorization ? authorization.value : authorization.prefix + keys['free.test'];
  const named = { valid: 'free.test', limited: 'limited.test', exhausted: 'used-up.test' } as const;
  if (authorization === 'missing') return '';
  if (authorization === 'excluding') throw new Error('expected a case that is accepted or refused');
  return authorization === 'unknown' ? 'A'.repeat(43) : keys[named[authorization]];
}
