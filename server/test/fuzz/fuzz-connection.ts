import { connect, type Socket } from 'node:net';

export type FuzzAnswer = { status: number; headers: Record<string, string>; body: string };

/** Longer than anything that the server lets take time. */
const hangsAfterMs = 300_000;

/** A connection that is kept while the server keeps it, and opened again otherwise. */
export type FuzzConnection = {
  /** Sends requests at once, and returns their answers, as many as came before the server closed. */
  exchange(requests: readonly Buffer[], isSplit: boolean): Promise<FuzzAnswer[]>;
  close(): void;
};

export function openFuzzConnection(origin: string): FuzzConnection {
  const { hostname, port } = new URL(origin);
  let socket: Socket | undefined;
  return {
    async exchange(requests, isSplit) {
      if (socket === undefined || socket.destroyed || socket.readableEnded) {
        socket = connect({ host: hostname, port: Number(port), noDelay: true });
        socket.on('error', () => {});
      }
      const current = socket;
      const { promise, resolve, reject } = Promise.withResolvers<FuzzAnswer[]>();
      let received = Buffer.alloc(0);
      const answers: FuzzAnswer[] = [];
      const read = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        for (let next = readAnswer(received); next !== undefined; next = readAnswer(received)) {
          received = received.subarray(next.length);
          if (next.answer.status >= 200) answers.push(next.answer);
          if (answers.length === requests.length) resolve(answers);
        }
      };
      const end = () => resolve(answers);
      const timer = setTimeout(() => reject(new Error(`no answer for ${hangsAfterMs} ms`)), hangsAfterMs);
      current.on('data', read).once('close', end);
      const whole = Buffer.concat(requests);
      const middle = isSplit ? Math.floor(whole.length / 2) : 0;
      if (middle > 0) current.write(whole.subarray(0, middle));
      if (middle > 0) await new Promise(setImmediate);
      current.write(whole.subarray(middle));
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        current.off('data', read).off('close', end);
        const isLast = answers.at(-1)?.headers.connection?.toLowerCase() === 'close';
        if (isLast || answers.length < requests.length || received.length > 0) {
          current.destroy();
          socket = undefined;
        }
      }
    },
    close: () => socket?.destroy(),
  };
}

/** Returns the first complete answer, and how many bytes it takes. */
function readAnswer(bytes: Buffer): { answer: FuzzAnswer; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`expected a status line, got ${JSON.stringify(statusLine)}`);
  const pairs = lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.replace(/^[^:]*: */, '')]);
  const headers: Record<string, string> = Object.fromEntries(pairs);
  const from = headEnd + 4;
  const make = (body: Buffer, length: number) => ({
    answer: { status, headers, body: body.toString() },
    length,
  });
  if (status < 200 || status === 204 || status === 304) return make(Buffer.alloc(0), from);
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Number(headers['content-length'] ?? 0);
    return bytes.length < from + length
      ? undefined
      : make(bytes.subarray(from, from + length), from + length);
  }
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return make(Buffer.concat(parts), next);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
