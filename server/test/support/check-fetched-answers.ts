import { assertDocumented, assertListed } from './assert-documented.ts';

type Fetch = typeof fetch;
let checking: Fetch | undefined;

/**
 * From now on, checks every answer that this process fetches from a node against the OpenAPI document and its
 * schemas. So every test that asks a server also tests its documentation.
 */
export function checkFetchedAnswers(): void {
  if (globalThis.fetch === checking) return;
  checking = createCheckingFetch(globalThis.fetch);
  globalThis.fetch = checking;
}

function createCheckingFetch(send: Fetch): Fetch {
  return async (address, options) => {
    const response = await send(address, options);
    const { pathname: path } = new URL(response.url);
    const isOurs = /^\/(?:api\/|health$)/.test(path) && isFromNode(response);
    if (!isOurs) return response;
    const method = options?.method ?? (address instanceof Request ? address.method : 'GET');
    const { status } = response;
    const type = response.headers.get('content-type');
    assertListed({ method, path, status, type });
    const hasSchema = /^application\/json\b/.test(type ?? '') || path === '/api/stats/batch';
    if (response.body === null || !hasSchema) return response;
    const copy = response.clone();
    const check = async () => {
      const text = await copy.text().catch(() => undefined);
      // An answer that breaks off doesn't count. The test that asked for it sees the same fault.
      if (text !== undefined) assertDocumented({ method, path, status, type, text });
    };
    // The lines of a batch arrive one by one, and a test may want to see the first before the last one
    // arrives. A fault in them is an unhandled rejection, which fails the test that is running.
    if (type?.startsWith('application/x-ndjson')) void check();
    else await check();
    return response;
  };
}

/** A node sends this with every answer. Stand-ins for a node, and proxies in front of one, may answer anything. */
const isFromNode = ({ headers }: Response) => headers.get('x-content-type-options') === 'nosniff';
