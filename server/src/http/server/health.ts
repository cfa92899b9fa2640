import type { FastifyInstance } from 'fastify';

/**
 * What is not as it should be, by part. `isAccepting` is about records: a store that is down does not stop
 * them.
 */
export type Health = { isAccepting: boolean; degraded: Degraded[] };

/** `why` is for people; programs decide by the other members. */
export type Degraded = {
  part: string;
  why: string;
  /** Of the engine, with what it has said last. */
  state?: string;
  reason?: string;
  /** The id of a damage, as `trackside doctor --forget` takes it. */
  damage?: string;
};

/** Numbers of this moment. Zero means that nothing waits. */
export type Progress = {
  /** For how long the oldest record has waited for the disk. */
  oldestUnansweredMs: number;
  loader: {
    lagMs: number;
    waitingBytes: number;
    toCompareBatches: number;
    toLoadAgain: { batches: number; records: number };
  };
};

/**
 * GET /health: 200 when the node can accept records, 503 when it cannot; names what is degraded either way.
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
          Code: code,
          Message: message,
          Degraded: degraded,
          Journal: { oldestUnansweredSeconds: toSeconds(oldestUnansweredMs) },
          Loader: {
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
