import { CommandError } from '../command.ts';

type Options = { origin: string; token: string };

const waitMs = 120_000;

/** Calls methods of the Model Context Protocol at a server, one request each. */
export function createMcpClient({ origin, token }: Options) {
  const url = new URL('/mcp', origin);
  let lastId = 0;

  async function call(method: string, params: unknown): Promise<Record<string, unknown>> {
    lastId += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: params ?? {} }),
      signal: AbortSignal.timeout(waitMs),
    }).catch((error: unknown) => {
      throw new CommandError(`${url.origin}: the server does not answer (${explain(error)})`);
    });
    const text = await response.text();
    const { result, error, message } = readMessage(text);
    if (result !== undefined) return result;
    throw new CommandError(error?.message ?? message ?? `${url}: expected an answer, got ${response.status}`);
  }

  return {
    call,
    hello: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'trackside mcp', version: '1' },
    },
  };
}

type Message = {
  result?: Record<string, unknown>;
  error?: { message: string };
  /** The error of a response that never reached the protocol, such as for a wrong token. */
  message?: string;
};

/** Reads a JSON answer, or the last message of a stream of events. */
function readMessage(text: string): Message {
  const data = text.split('\n').findLast((line) => line.startsWith('data: '));
  try {
    return JSON.parse(data === undefined ? text : data.slice('data: '.length));
  } catch {
    return {};
  }
}

function explain(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
