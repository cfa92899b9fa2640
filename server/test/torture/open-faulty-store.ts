import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What happens to an INSERT of records on its way. */
export const insertFaults = [
  'an error before it',
  'an error after it was stored',
  'no answer after it was stored',
  'cut off in the middle',
  'a late answer',
  'arrives when its client has left',
] as const;
export type InsertFault = (typeof insertFaults)[number];

type Taken = { body: Buffer; asked: IncomingMessage; answer: ServerResponse };

/**
 * Passes requests on to an engine, and fails as stores and what is in front of them do. Only INSERTs of records
 * are disturbed one by one; everything can be slow or fail for a while.
 */
export async function openFaultyStore(target: { host: string; port: number }) {
  let next: { fault: InsertFault; ms: number; isDone: () => void } | undefined;
  let isFailing = false;
  let slowMs = 0;
  const underWay = new Set<Promise<void>>();

  const pass = async ({ body, asked }: Taken) => {
    const { method, url, headers } = asked;
    const passed = request({ ...target, method, path: url, headers, agent: false });
    passed.end(body);
    const [response] = (await once(passed, 'response')) as [IncomingMessage];
    return { response, body: Buffer.concat(await response.toArray()) };
  };
  const passBack = async (taken: Taken) => {
    const { response, body } = await pass(taken);
    const { 'transfer-encoding': _, ...headers } = response.headers;
    taken.answer.writeHead(response.statusCode!, headers).end(body);
  };
  const fail = ({ answer }: Taken) =>
    answer.writeHead(500, { 'X-ClickHouse-Exception-Code': '241' }).end('Code: 241. Memory limit exceeded');
  const leave = ({ asked }: Taken) => asked.socket.destroy();

  async function disturb(taken: Taken, fault: InsertFault, ms: number): Promise<void> {
    if (fault === 'an error before it') return void fail(taken);
    if (fault === 'cut off in the middle') {
      const { method, url, headers } = taken.asked;
      const passed = request({ ...target, method, path: url, headers, agent: false }).on('error', () => {});
      passed.write(taken.body.subarray(0, Math.floor(taken.body.length / 2)));
      await delay(ms);
      passed.destroy();
      return void leave(taken);
    }
    if (fault === 'arrives when its client has left') {
      leave(taken);
      await delay(ms);
      return void (await pass(taken));
    }
    if (fault === 'a late answer') {
      const passed = pass(taken);
      await delay(ms);
      await passed;
      return void leave(taken);
    }
    await pass(taken);
    if (fault === 'an error after it was stored') fail(taken);
    else leave(taken);
  }

  async function take(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const taken = { asked, answer, body: Buffer.concat(await asked.toArray()) };
    if (slowMs > 0) await delay(slowMs);
    if (isFailing) return void fail(taken);
    const isInsert = decodeURIComponent(asked.url!.replaceAll('+', ' ')).includes('insert into records (');
    if (!isInsert || next === undefined) return await passBack(taken);
    const { fault, ms, isDone } = next;
    next = undefined;
    await disturb(taken, fault, ms).finally(isDone);
  }

  const server = createServer((asked, answer) => {
    const taking = take(asked, answer)
      .catch(() => void asked.socket.destroy())
      .finally(() => underWay.delete(taking));
    underWay.add(taking);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  return {
    origin: `http://127.0.0.1:${port}`,
    /** Disturbs the next INSERT of records. Returns true when that is over, or false if none comes in time. */
    async disturbNext(fault: InsertFault, ms: number, withinMs: number): Promise<boolean> {
      const done = Promise.withResolvers<boolean>();
      next = { fault, ms, isDone: () => done.resolve(true) };
      const timer = setTimeout(() => done.resolve(false), withinMs);
      const hasCome = await done.promise;
      clearTimeout(timer);
      next = undefined;
      return hasCome;
    },
    async failFor(ms: number): Promise<void> {
      isFailing = true;
      await delay(ms);
      isFailing = false;
    },
    async slowDownFor(ms: number, byMs: number): Promise<void> {
      slowMs = byMs;
      await delay(ms);
      slowMs = 0;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await Promise.all(underWay);
    },
  };
}
