import type { Clock } from '../time/clock.ts';
import type { TrackFault } from './track-fault.ts';

export type FaultTeller = {
  tell(fault: TrackFault): void;
  /** Immediately reports the faults that are waiting for their minute to pass. */
  tellRest(): void;
};

const intervalMs = 60_000;
/**
 * Some messages contain a number that differs from record to record. Beyond this many messages, faults are
 * distinguished by their kind alone.
 */
const maxMessages = 50;

type Told = { atMs: number; untold: number; fault: TrackFault };

/**
 * Creates a teller that reports a fault immediately, and the same fault again at most once a minute, with the
 * number of records.
 */
export function createFaultTeller(onError: (fault: TrackFault) => unknown, clock: Clock): FaultTeller {
  const told = new Map<string, Told>();

  const pass = (name: string, entry: Told) => {
    const fault = { ...entry.fault, records: entry.untold };
    entry.atMs = clock.monotonicMs();
    entry.untold = 0;
    const endMinute = () => {
      if (entry.untold > 0) pass(name, entry);
      else told.delete(name);
    };
    clock.startTimer(intervalMs, endMinute, { keepsAlive: false });
    callSafely(onError, fault);
  };

  return {
    tell(fault) {
      const name = nameFault(told, fault);
      const entry = told.get(name) ?? { atMs: Number.NEGATIVE_INFINITY, untold: 0, fault };
      told.set(name, entry);
      entry.fault = fault;
      entry.untold += fault.records;
      // Not left to the timer alone, because on edge runtimes a timer ends with the request that started it.
      if (clock.monotonicMs() - entry.atMs >= intervalMs) pass(name, entry);
    },
    tellRest() {
      for (const [name, entry] of told) if (entry.untold > 0) pass(name, entry);
    },
  };
}

function nameFault(told: ReadonlyMap<string, unknown>, { kind, message }: TrackFault): string {
  // Its message says by how many seconds a clock is wrong.
  if (kind === 'time-refused') return kind;
  const name = `${kind}: ${message}`;
  return told.has(name) || told.size < maxMessages ? name : kind;
}

/**
 * Calls the program's own function, which may throw or reject. A failing onError must not become the problem
 * of any request.
 */
function callSafely(onError: (fault: TrackFault) => unknown, fault: TrackFault): void {
  try {
    Promise.resolve(onError(fault)).catch(() => {});
  } catch {}
}
