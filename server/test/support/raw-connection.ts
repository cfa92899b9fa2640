import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

const patienceMs = 300_000;

/** A connection on which a test writes the bytes itself, and reads the answers as they come. */
export type RawConnection = Awaited<ReturnType<typeof openRaw>>;

export async function openRaw(origin: string, options: { isHead?: boolean } = {}) {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  const changed = new EventTarget();
  let isClosed = false;
  let isEnded = false;
  const tell = () => changed.dispatchEvent(new Event('change'));
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    tell();
  });
  socket.on('end', () => {
    isEnded = true;
    tell();
  });
  // A reset while writing is ignored: earlier answers count, and a test that needs the answer waits for it.
  socket.on('error', tell);
  socket.on('close', () => {
    isClosed = true;
    tell();
  });
  await once(socket, 'connect');

  const answers = () => readAnswers(Buffer.concat(chunks).toString('latin1'), options.isHead === true);
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    const signal = AbortSignal.timeout(patienceMs);
    while (!holds()) {
      await once(changed, 'change', { signal }).catch(() => {
        throw new Error(`waited ${patienceMs} ms in vain for ${what}, got: ${JSON.stringify(received())}`);
      });
    }
  };
  const received = () => Buffer.concat(chunks).toString('latin1').slice(0, 2000);

  return {
    socket,
    send(bytes: string | Uint8Array): void {
      if (socket.writable) socket.write(bytes);
    },
    /** Closes the client's side, so that no more is sent. */
    finish: () => socket.end(),
    answers,
    isOpen: () => !isClosed && !isEnded,
    /** Returns the complete answers so far, once there are this many or the server has closed. */
    async untilAnswers(count: number): Promise<RawAnswer[]> {
      await until(`${count} answers`, () => answers().length >= count || isEnded || isClosed);
      return answers();
    },
    async untilClosed(): Promise<RawAnswer[]> {
      await until('the server to close the connection', () => isEnded || isClosed);
      return answers();
    },
    destroy: () => socket.destroy(),
    reset: () => (socket as Socket).resetAndDestroy(),
  };
}

/** Sends bytes on their own connection and returns the first final answer, or undefined if none came. */
export async function sendRaw(
  origin: string,
  bytes: string | Uint8Array,
  options: { isHead?: boolean } = {},
): Promise<RawAnswer | undefined> {
  const connection = await openRaw(origin, options);
  connection.send(bytes);
  try {
    return (await connection.untilAnswers(1))[0];
  } finally {
    connection.destroy();
  }
}

/** Returns a request as text. `Content-Length` is added for a body unless the headers say otherwise. */
export function requestText(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const isFramed = Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  if (body !== '' && !isFramed) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Splits the received text into complete answers. Interim answers (1xx) count as separate answers. */
function readAnswers(text: string, isHead: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return answers;
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`expected a status line, got ${JSON.stringify(statusLine)}`);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    rest = rest.slice(end + 4);
    const hasBody = status >= 200 && status !== 204 && !isHead;
    const length = hasBody ? Number(headers['content-length'] ?? 0) : 0;
    if (rest.length < length) return answers;
    answers.push({ status, headers, body: Buffer.from(rest.slice(0, length), 'latin1').toString('utf8') });
    rest = rest.slice(length);
  }
}
