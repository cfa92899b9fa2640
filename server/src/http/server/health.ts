import type { FastifyInstance } from 'fastify';

/** All problems, by part. `isAccepting` is about records, which are accepted even if the store is down. */
export type Health = { isAccepting: boolean; degraded: Degraded[] };

/** `why` is for people; programs decide by the other members. */
export type Degraded = {
  part: string;
  why: string;
  /** The state of the engine, and its last message in `reason`. */
  state?: string;
  reason?: string;
  /** The id of a damage entry, for `trackside doctor --forget`. */
  damage?: string;
};

/** Current numbers. Zero means that nothing waits. */
export type Progress = {
  /** How long the oldest record has waited for the disk. */
  oldestUnansweredMs: number;
  loader: {
    lagMs: number;
    waitingBytes: number;
    toCompareBatches: number;
    toLoadAgain: { batches: number; records: number };
  };
};

/**
 * Returns the route GET /health. It answers 200 if the node can accept records and 503 if not, and lists what
 * is degraded in both cases.
 */
export function healthRoute(health: () => Health, progress: () => Progress) {
  return {
    method: 'GET' as const,
    path: '/health',
    register(app: FastifyInstance) {
      app.get('/health', (_request, reply) => {
        const { isAccepting, degraded } = health();
        const code = isAccepting ? 200 : 503;
        const message = isAccepting
          ? degraded.length === 0
            ? 'Accepting records'
            : 'Accepting records, degraded'
          : 'Not accepting records';
        if (!isAccepting) reply.header('Retry-After', '5');
        reply.header('Cache-Control', 'no-store');
        const { oldestUnansweredMs, loader } = progress();
        return reply.code(code).send({
          code,
          message,
          degraded,
          journal: { oldestUnansweredSeconds: toSeconds(oldestUnansweredMs) },
          loader: {
            lagSeconds: toSeconds(loader.lagMs),
            waitingBytes: loader.waitingBytes,
            batchesToCompare: loader.toCompareBatches,
            batchesToLoadAgain: loader.toLoadAgain.batches,
            recordsToLoadAgain: loader.toLoadAgain.records,
          },
        });
      });
    },
  };
}

const toSeconds = (ms: number) => Math.round(ms) / 1000;
