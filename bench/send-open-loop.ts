import { connect, type Socket } from 'node:net';

export type OpenLoopResult = {
  /**
   * Measured from when a request was due, so that a server that stalls is charged for everything that it kept
   * waiting.
   */
  latenciesMs: number[];
  /** The number of answers by status. */
  statuses: Record<string, number>;
  /** Requests without an answer at the end. */
  unanswered: number;
};

type Connection = { socket: Socket; dueMs: number | undefined; text: string };

const usualConnections = 500;
const tickMs = 1;
const usualGraceMs = 10_000;

/** Sends requests at a fixed rate, whether or not earlier ones have been answered. */
export async function sendOpenLoop(options: {
  origin: string;
  perSecond: number;
  seconds: number;
  makeRequest: (at: number) => string;
  maxConnections?: number;
  /** How long to wait for the rest at the end. */
  graceMs?: number;
  /** Takes each latency. Without it, all of them are collected. */
  onAnswer?: (latencyMs: number, status: string) => void;
}): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(options.origin);
  const latenciesMs: number[] = [];
  const { maxConnections = usualConnections, graceMs = usualGraceMs } = options;
  const { onAnswer = (latencyMs) => latenciesMs.push(latencyMs) } = options;
  const total = Math.round(options.perSecond * options.seconds);
  const statuses: Record<string, number> = {};
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  let sent = 0;
  let answered = 0;

  function finish(connection: Connection, status: string): void {
    if (connection.dueMs === undefined) return;
    onAnswer(performance.now() - connection.dueMs, status);
    statuses[status] = (statuses[status] ?? 0) + 1;
    answered += 1;
    connection.dueMs = undefined;
  }

  function open(): Connection {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection: Connection = { socket, dueMs: undefined, text: '' };
    all.add(connection);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      connection.text += chunk;
      const status = readStatus(connection.text);
      if (status === undefined) return;
      connection.text = '';
      finish(connection, status);
      idle.push(connection);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      all.delete(connection);
      const at = idle.indexOf(connection);
      if (at !== -1) idle.splice(at, 1);
      finish(connection, 'closed');
    });
    return connection;
  }

  const startMs = performance.now();
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) * options.perSecond) / 1000));
    while (sent < due) {
      const connection = idle.pop() ?? (all.size < maxConnections ? open() : undefined);
      // All connections wait for the server. What is due stays due, and counts from then.
      if (connection === undefined) break;
      connection.dueMs = startMs + ((sent + 1) * 1000) / options.perSecond;
      connection.socket.write(options.makeRequest(sent));
      sent += 1;
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs));
    if (performance.now() - startMs > options.seconds * 1000 + graceMs) break;
  }
  const deadlineMs = performance.now() + graceMs;
  while (answered < sent && performance.now() < deadlineMs)
    await new Promise((resolve) => setTimeout(resolve, 5));
  for (const { socket } of all) socket.destroy();
  return { latenciesMs, statuses, unanswered: total - answered };
}

/** Returns the status once the whole answer is there. Every answer here has a Content-Length. */
export function readStatus(text: string): string | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0);
  return text.length >= end + 4 + length ? text.slice(9, 12) : undefined;
}
