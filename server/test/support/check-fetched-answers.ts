import { assertDocumented } from './assert-documented.ts';

type Fetch = typeof fetch;
let checking: Fetch | undefined;

/**
 * From now on, checks every answer that this process fetches from a node against the schemas of the contract.
 * So every test that asks for statistics also tests their documentation.
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
    if (!/^\/(?:api\/stats\/|health$)/.test(path) || response.body === null) return response;
    const copy = response.clone();
    const type = copy.headers.get('content-type');
    const check = async () => {
      const text = await copy.text().catch(() => undefined);
      // An answer that breaks off doesn't count. The test that asked for it sees the same fault.
      if (text !== undefined) assertDocumented({ path, status: copy.status, type, text });
    };
    // The lines of a batch arrive one by one, and a test may want to see the first before the last one
    // arrives. A fault in them is an unhandled rejection, which fails the test that is running.
    if (type?.startsWith('application/x-ndjson')) void check();
    else await check();
    return response;
  };
}
