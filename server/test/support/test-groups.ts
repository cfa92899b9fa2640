/**
 * The tests of the whole server that share a process in a full run, because starting one for each file takes
 * half a second. Each group runs in a file of `processes/`, and every other test in `processes/others.test.ts`.
 * `scripts/run-tests.ts` starts the longest first, so that no processor is idle at the end.
 */
export const testGroups = {
  answers: [
    'commands.test.ts',
    'dependencies.test.ts',
    'export.test.ts',
    'faults.test.ts',
    'layers.test.ts',
    'mcp.test.ts',
    'proxies.test.ts',
    'stats.test.ts',
    'stats-batch.test.ts',
  ],
  damage: ['damage.test.ts', 'starts.test.ts', 'torture.test.ts', 'troubles.test.ts'],
  data: ['backup.test.ts', 'data.test.ts', 'restore.test.ts', 'upgrades.test.ts'],
  engineData: [
    'engine/addresses.test.ts',
    'engine/build-fences.test.ts',
    'engine/changes.test.ts',
    'engine/data.test.ts',
    'engine/days.test.ts',
    'engine/returning-visitors.test.ts',
    'engine/sweeps.test.ts',
  ],
  engineFaults: [
    'engine/http-front.test.ts',
    'engine/mend.test.ts',
    'engine/salvage.test.ts',
    'engine/supervise-engine.test.ts',
  ],
  engineQuestions: [
    'engine/fill-website.test.ts',
    'engine/large-questions.test.ts',
    'engine/live.test.ts',
    'engine/questions.test.ts',
    'engine/random-reports.test.ts',
    'engine/reports.test.ts',
    'engine/stats.test.ts',
    'engine/turns.test.ts',
  ],
  engineRecords: [
    'engine/export.test.ts',
    'engine/remove.test.ts',
    'engine/save-records.test.ts',
    'engine/store.test.ts',
  ],
  postgres: ['postgres-tls.test.ts', 'two-nodes.test.ts'],
  restarts: [
    'crash.test.ts',
    'engine-down.test.ts',
    'repeats.test.ts',
    'serve.test.ts',
    'stop.test.ts',
    'workers.test.ts',
  ],
} as const;

/**
 * What only the long form runs, each group in a file of `processes/long/`: installations with several machines
 * and clusters, and what takes seconds to show something rare.
 */
export const longGroups = {
  cluster: [
    'engine/cluster.test.ts',
    'engine/divided.test.ts',
    'engine/doctor-cluster.test.ts',
    'server-on-cluster.test.ts',
  ],
  outside: [
    'acknowledged-by-store.test.ts',
    'engine-service.test.ts',
    'engine/watch-outside-store.test.ts',
    'outside-store.test.ts',
  ],
  moreOfPostgres: ['repeats-across-nodes.test.ts', 'workers-postgres.test.ts'],
  several: ['move.test.ts', 'nodes-share-jobs.test.ts'],
  rare: [
    'broken-invariant.test.ts',
    'demo.test.ts',
    'engine/giving-way.test.ts',
    'engine/large-lists.test.ts',
    'full-disk.test.ts',
    'start-beside-commands.test.ts',
  ],
} as const;
