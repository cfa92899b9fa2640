import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { LoaderOptions } from './loader-options.ts';

/** Mending comes before other work if its turn comes within this time. */
const soonMs = 1000;

/**
 * The loader's turn to take damaged parts out of the store, while nothing is being built. Until it comes, loading
 * goes on: a build can take minutes, and somebody may hold the turn who waits for records to be loaded.
 */
export function createMendingTurn(options: {
  takeBuildTurn: LoaderOptions['takeBuildTurn'];
  onTurn: () => void;
  log: Log;
}) {
  const { takeBuildTurn, onTurn, log } = options;
  let asked: { hasCome: boolean; end: () => void } | undefined;
  let isClosed = false;

  function end(): void {
    asked?.end();
    asked = undefined;
  }

  return {
    /** Asks for the turn, once, and waits a moment for it. */
    async ask(): Promise<void> {
      if (asked !== undefined || isClosed) return;
      const [came, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const turn = { hasCome: false, end: () => ended.resolve() };
      asked = turn;
      const taken = takeBuildTurn(async () => {
        if (isClosed) return;
        turn.hasCome = true;
        came.resolve();
        onTurn();
        await ended.promise;
      });
      taken
        .catch((error: unknown) => log.warn({ err: error }, 'cannot wait until nothing is being built'))
        .finally(() => {
          if (asked === turn) asked = undefined;
        });
      await Promise.race([came.promise, taken.catch(() => {}), delay(soonMs, undefined, { ref: false })]);
    },
    hasCome: (): boolean => asked?.hasCome ?? false,
    end,
    /** A turn that comes later is passed on at once. */
    close(): void {
      isClosed = true;
      end();
    },
  };
}
