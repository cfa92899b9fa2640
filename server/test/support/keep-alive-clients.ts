import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { requestText } from './raw-connection.ts';
import { pageView } from './records.ts';

export type Client = {
  /**
   * Resolves with the status of the answer, or with undefined if nothing was sent because the server no
   * longer accepts connections.
   */
  send(path: string): Promise<number | undefined>;
  close(): void;
};

const bodyOf = (path: string) =>
  JSON.stringify(pageView({ Page: { Absolute: `https://example.com${path}` } }));

/**
 * Creates a client that keeps a connection as long as the server does, and reports one that is closed before
 * an answer.
 */
export function createSocketClient(origin: string, apiKey: string, target: string): Client {
  const { hostname, port } = new URL(origin);
  let socket: ReturnType<typeof connect> | undefined;
  let settle: ((error?: Error) => void) | undefined;
  let received = '';

  async function open(): Promise<boolean> {
    const opened = connect(Number(port), hostname).setNoDelay(true).setEncoding('utf8');
    const end = (error?: Error) => {
      if (socket === opened) socket = undefined;
      settle?.(error ?? new Error('closed before the answer'));
    };
    try {
      await once(opened, 'connect');
    } catch (error) {
      if ((error as { code?: string }).code === 'ECONNREFUSED') return false;
      throw error;
    }
    opened.on('data', (text: string) => {
      received += text;
      if (/\r\n\r\n\{.*\}$/s.test(received)) settle?.();
    });
    opened.on('error', end).on('end', () => end());
    socket = opened;
    return true;
  }

  return {
    async send(path) {
      if (socket === undefined && !(await open())) return undefined;
      received = '';
      const answered = new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
      socket!.write(requestText('POST', target, { Authorization: apiKey }, bodyOf(path)));
      await answered;
      settle = undefined;
      if (/^connection: close$/im.test(received)) {
        socket?.end();
        socket = undefined;
      }
      return Number(received.slice(9, 12));
    },
    close: () => socket?.destroy(),
  };
}

export function createAgentClient(origin: string, apiKey: string, headers: Record<string, string>): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async send(path) {
      const body = bodyOf(path);
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const request = httpRequest(`${origin}/api/page-view`, {
        method: 'POST',
        agent,
        headers: { Authorization: apiKey, 'Content-Length': Buffer.byteLength(body), ...headers },
      });
      request.on('response', (response) => {
        response
          .resume()
          .once('end', () => resolve(response.statusCode))
          .once('error', reject);
      });
      request.on('error', (error: Error & { code?: string }) =>
        error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
      );
      request.end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}
