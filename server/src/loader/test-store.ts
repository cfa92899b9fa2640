/**
 * What the tests of the loader share: a store in memory that fails on command, and the engine that it runs
 * in.
 */
import { randomUUID } from 'node:crypto';
import { ClickHouseError } from '@clickhouse/client';
import { recordKey } from '../records/record-key.ts';
import type { StoredKey } from '../store/list-keys.ts';
import type { Store } from '../store/open-store.ts';
import type { BrokenPart } from '../store/parts.ts';
import type { LoadedStore } from './loader-options.ts';

/** What an INSERT does instead of storing its rows and reporting success. */
export type Fault =
  | 'fail before storing'
  | 'store, then fail'
  | 'store one month, then fail'
  | 'fail, and store later'
  | 'store twice'
  | 'refuse';

type Row = { node: string; batch: number; month: number; payload: string };

export class MemoryStore implements LoadedStore {
  /** One for each of the next INSERTs. Undefined lets an INSERT through. */
  readonly faults: (Fault | undefined)[] = [];
  readonly inserts: { batches: number[]; rows: number; queryId: string; columns: readonly string[] }[] = [];
  readonly deletes: { batch: number; month: number }[] = [];
  readonly brokenParts: BrokenPart[] = [];
  /** Questions fail while this is set. */
  failure: Error | undefined;
  #uuid: string = randomUUID();
  #rows: Row[] = [];
  #running: Row[] = [];

  async migrate() {
    this.#answer();
    return { applied: [] };
  }

  async uuid() {
    this.#answer();
    return this.#uuid;
  }

  async countBatches({ node, fromBatch, toBatch, fromDay }: Parameters<Store['countBatches']>[0]) {
    this.#answer();
    const fromMonth = Number(fromDay.slice(0, 4) + fromDay.slice(5, 7));
    const counts = new Map<string, { batch: number; month: number; rows: number }>();
    for (const { batch, month, ...row } of this.#rows) {
      if (row.node !== node || batch < fromBatch || batch > toBatch || month < fromMonth) continue;
      const count = counts.get(`${batch} ${month}`) ?? { batch, month, rows: 0 };
      count.rows += 1;
      counts.set(`${batch} ${month}`, count);
    }
    // Rows of an INSERT that is still running show up right after they were not counted, which is the worst
    // moment.
    this.#rows.push(...this.#running.splice(0));
    return [...counts.values()].sort((a, b) => a.batch - b.batch || a.month - b.month);
  }

  async deleteBatches({ node, batches, month }: Parameters<Store['deleteBatches']>[0]) {
    this.#answer();
    this.deletes.push(...batches.map((batch) => ({ batch, month })));
    this.#rows = this.#rows.filter(
      (row) => !(row.node === node && batches.includes(row.batch) && row.month === month),
    );
  }

  async listKeys({ fromDay, toDay, minutes }: Parameters<Store['listKeys']>[0]) {
    this.#answer();
    const found = new Map<string, StoredKey>();
    for (const { node, batch, payload } of this.#rows) {
      const [day, websiteId, receivedAt]: [string, number, string] = JSON.parse(payload);
      const minute = Math.floor(Date.parse(`${receivedAt.replace(' ', 'T')}Z`) / 60_000);
      if (day < fromDay || day > toDay || !minutes.includes(minute)) continue;
      const key = recordKey({ websiteId, visitorId: '', receivedAt });
      const stored = found.get(`${key} ${node} ${batch}`) ?? { key, node, batch, rows: 0 };
      stored.rows += 1;
      found.set(`${key} ${node} ${batch}`, stored);
    }
    return [...found.values()];
  }

  async finishSalvage() {
    this.#answer();
  }

  async listBrokenParts() {
    this.#answer();
    return this.brokenParts;
  }

  async listParts() {
    this.#answer();
    return [];
  }

  async salvagePart(): Promise<never> {
    throw new Error('a store in memory has no parts');
  }

  async dropSums(): Promise<never> {
    throw new Error('a store in memory has no parts');
  }

  async lastBatch(node: string) {
    this.#answer();
    return this.#rows.reduce((last, row) => (row.node === node ? Math.max(last, row.batch) : last), 0);
  }

  async insertBatch({ columns, body, rows, queryId }: Parameters<Store['insertBatch']>[0]) {
    this.#answer();
    const parsed = body.toString('utf8').split('\n').slice(0, -1).map(parseRow);
    if (parsed.length !== rows) throw new Error(`expected ${rows} rows, got ${parsed.length}`);
    this.inserts.push({ batches: [...new Set(parsed.map(({ batch }) => batch))], rows, queryId, columns });
    const fault = this.faults.shift();
    if (fault === 'refuse') throw refusal();
    if (fault === 'fail before storing') throw new Error('socket hang up');
    if (fault === 'fail, and store later') {
      this.#running.push(...parsed);
      throw new Error('timeout');
    }
    const isHalf = fault === 'store one month, then fail';
    this.#rows.push(...(isHalf ? parsed.filter(({ month }) => month === parsed[0]!.month) : parsed));
    if (fault === 'store twice') this.#rows.push(...parsed);
    if (fault === 'store, then fail' || isHalf) throw new Error('connection reset');
  }

  /** The journal's payloads that the store has, in the order of batches. */
  payloads(): string[] {
    return this.#rows.toSorted((a, b) => a.batch - b.batch).map(({ payload }) => payload);
  }

  batches(): number[] {
    return [...new Set(this.#rows.map(({ batch }) => batch))].sort((a, b) => a - b);
  }

  addRow(row: Row): void {
    this.#rows.push(row);
  }

  rows(): readonly Row[] {
    return this.#rows;
  }

  removeRow(index: number): void {
    this.#rows.splice(index, 1);
  }

  /** An INSERT that nobody is waiting for ends with the engine. */
  kill(): void {
    this.#running = [];
  }

  /** Does what `trackside repair` does. */
  replace(): void {
    this.#uuid = randomUUID();
    this.#rows = [];
  }

  #answer(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

function parseRow(line: string): Row {
  const [node, batch, day, ...rest]: [string, number, string, ...unknown[]] = JSON.parse(line);
  return {
    node,
    batch,
    month: Number(day.slice(0, 4) + day.slice(5, 7)),
    payload: JSON.stringify([day, ...rest]),
  };
}

export function refusal(): ClickHouseError {
  return new ClickHouseError({
    message: 'Memory limit exceeded',
    code: '241',
    type: 'MEMORY_LIMIT_EXCEEDED',
  });
}

export type TestEngine = ReturnType<typeof createTestEngine>;

export function createTestEngine(store: Pick<MemoryStore, 'kill'>) {
  let generation = 1;
  let isReady = true;
  const restarts: string[] = [];
  return {
    restarts,
    isReady: () => isReady,
    isOutside: false,
    hasBrokenParts: () => false,
    generation: () => generation,
    async restart(reason: string): Promise<void> {
      restarts.push(reason);
      store.kill();
      generation += 1;
    },
    stop(): void {
      isReady = false;
      store.kill();
    },
    start(): void {
      isReady = true;
      generation += 1;
    },
  };
}
