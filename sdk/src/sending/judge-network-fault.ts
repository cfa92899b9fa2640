import type { Attempt } from '../faults/result.ts';

/** The connection was never made, so no byte of the record can have arrived. Bun has its own names. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);
const unreachedSyscalls = new Set(['connect', 'getaddrinfo']);
const maxDepth = 5;

/** Returns what it means that fetch threw. */
export function judgeNetworkFault(error: unknown): Attempt {
  const codes = listFaults(error, maxDepth);
  const isUnreached = codes.length > 0 && codes.every(isConnectFault);
  const code = codes.map((fault) => fault.code).find((found) => found !== undefined);
  const what = isUnreached ? 'no connection' : 'no response';
  const message =
    `Expected a response from Trackside, got ${what}${code === undefined ? '' : ` (${code})`}: ` +
    'check that it is running and that url is correct.';
  const result = { kind: 'unavailable', code: 0, message, cause: error } as const;
  return { result, isTransient: true, isUncertain: !isUnreached };
}

export function judgeTimeout(timeoutMs: number): Attempt {
  const message = `Expected a response from Trackside within ${timeoutMs} ms, got none.`;
  return { result: { kind: 'unavailable', code: 0, message }, isTransient: true, isUncertain: true };
}

type SystemFault = { code: string | undefined; syscall: string | undefined };

/** Lists the system's faults. fetch hides them in `cause`; with several addresses, there is one for each. */
function listFaults(error: unknown, depth: number): SystemFault[] {
  if (typeof error !== 'object' || error === null || depth === 0) return [];
  const { code, syscall, cause, errors } = error as Record<string, unknown>;
  if (Array.isArray(errors) && errors.length > 0) {
    return errors.flatMap((each) => listFaults(each, depth - 1));
  }
  const inner = listFaults(cause, depth - 1);
  if (inner.length > 0 || typeof code !== 'string') return inner;
  return [{ code: isCodeName(code) ? code : undefined, syscall: String(syscall) }];
}

/** A code is used in a message, so it has to look like one. */
const isCodeName = (code: string) => /^\w{1,40}$/.test(code);

function isConnectFault({ code, syscall }: SystemFault): boolean {
  return unreachedCodes.has(code ?? '') || unreachedSyscalls.has(syscall ?? '');
}
