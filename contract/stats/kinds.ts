/** The kinds of questions. Each has its own path, /api/stats/<kind>, and all can be asked together. */
export const statsKindNames = ['query', 'live', 'bots', 'funnel', 'retention', 'paths', 'goals'] as const;
export type StatsKind = (typeof statsKindNames)[number];
