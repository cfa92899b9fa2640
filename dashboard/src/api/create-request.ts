import type { Connection } from './create-connection.ts';
import type { SignInGate } from './create-sign-in-gate.ts';
import { type Answer, ok, toFault, unreachable } from './fault.ts';

export type RequestOptions = {
  signal?: AbortSignal | undefined;
  /** Whether a 401 is the answer itself rather than an expired session. */
  isSigningIn?: boolean;
  headers?: Readonly<Record<string, string>>;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Sends one request and returns its outcome. Throws only when the request was aborted. */
export type SendRequest = (
  method: Method,
  path: string,
  body?: object,
  options?: RequestOptions,
) => Promise<Answer<Response>>;

type Parts = {
  fetch: typeof fetch;
  connection: Pick<Connection, 'report'>;
  gate: Pick<SignInGate, 'ask'>;
};

export function createRequest({ fetch, connection, gate }: Parts): SendRequest {
  async function sendOnce(
    method: Method,
    path: string,
    body?: object,
    { signal, headers }: RequestOptions = {},
  ): Promise<Answer<Response>> {
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        credentials: 'same-origin',
        // Every change is sent as JSON, even without a body, because the server refuses what an HTML form
        // could send.
        headers: { ...(method !== 'GET' && { 'Content-Type': 'application/json' }), ...headers },
        ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      connection.report(false);
      return { isOk: false, fault: unreachable };
    }
    const answer: Answer<Response> = response.ok
      ? ok(response)
      : {
          isOk: false,
          fault: toFault(response.status, await readJson(response), response.headers.get('Retry-After')),
        };
    connection.report(answer.isOk || answer.fault.kind !== 'unreachable');
    return answer;
  }

  return async (method, path, body, options) => {
    const answer = await sendOnce(method, path, body, options);
    if (answer.isOk || answer.fault.kind !== 'signed-out' || options?.isSigningIn) return answer;
    return (await gate.ask()) ? await sendOnce(method, path, body, options) : answer;
  };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
