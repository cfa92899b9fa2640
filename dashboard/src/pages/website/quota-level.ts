import type { Usage } from '#api/shapes.ts';

export type QuotaLevel = 'calm' | 'near' | 'full';

/** Early enough to raise the quota before records are refused. */
const nearShare = 0.8;

export function quotaLevel({ used, limit }: Pick<Usage, 'used' | 'limit'>): QuotaLevel {
  if (limit === null || used < limit * nearShare) return 'calm';
  return used < limit ? 'near' : 'full';
}
