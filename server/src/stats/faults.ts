import { ClickHouseError } from '@clickhouse/client';

/** The store does not respond right now, or is too busy. Records are still accepted. */
export class StoreAway extends Error {
  override name = 'StoreAway';
  readonly fault: 'engine-away' | 'busy';

  constructor(message: string, about: ErrorOptions & { fault?: StoreAway['fault'] } = {}) {
    super(message, about);
    this.fault = about.fault ?? 'engine-away';
  }
}

/** Another node has not done yet what has to be waited for. */
export class NodeAway extends StoreAway {
  override name = 'NodeAway';
}

/** A question needs more than one question may use. */
export class QuestionTooLarge extends Error {
  override name = 'QuestionTooLarge';
}

/**
 * ClickHouse error codes for statements that take too long, need too much memory, or read or return too much.
 */
const tooLarge = new Set(['159', '160', '241', '158', '396', '307']);
/** ClickHouse error codes for too many statements at once, and for an engine that is stopping. */
const busy = new Set(['202', '236', '394']);

/** ClickHouse error codes for a missing table or database, as right after the first start. */
const notThere = new Set(['60', '81']);

/** ClickHouse error codes for a missing column. Only a store of an earlier version lacks one. */
const columnNotThere = new Set(['8', '10', '16', '47']);

/**
 * Whether a store that is still being migrated may be the reason for a fault. In a store that is up to date, it
 * is a bug.
 */
export const mayLackColumns = (error: unknown): boolean =>
  error instanceof ClickHouseError && columnNotThere.has(error.code);

export const beingSetUp = () => new StoreAway('the store is being set up (records are still accepted)');

/** Turns a fault of the store into what it means for the client. Other faults are passed on. */
export function toStatsFault(error: unknown): unknown {
  if (error instanceof ClickHouseError) {
    if (tooLarge.has(error.code)) {
      return new QuestionTooLarge(
        'Question: needs more time or memory than one question may use; ' +
          'use a shorter period, fewer dimensions or a narrower filter',
      );
    }
    if (notThere.has(error.code)) return beingSetUp();
    return busy.has(error.code) ? new StoreAway('the store is busy', { fault: 'busy' }) : error;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isConnection = /^(?:ECONN|EPIPE|ENOENT)/.test(code) || /socket hang up/i.test(String(error));
  return isConnection ? new StoreAway('the store is restarting (records are still accepted)') : error;
}
