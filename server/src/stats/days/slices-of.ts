import type { BuildSlice } from './build-visits.ts';

const allIds = 2n ** 64n;

/**
 * Ids are spread evenly. For visits, these are slices of devices, and no visit is in two of them. For
 * rollups, they are slices of visitors, and no visitor is in two of them, so the counts of all slices add up.
 */
export function slicesOf(options: {
  first: string;
  last: string;
  build: bigint;
  records: number;
  recordsPerSlice: number;
}): BuildSlice[] {
  const count = BigInt(Math.max(1, Math.ceil(options.records / options.recordsPerSlice)));
  const width = allIds / count;
  return Array.from({ length: Number(count) }, (_, index) => ({
    from: options.first,
    to: options.last,
    build: String(options.build),
    firstId: String(BigInt(index) * width),
    lastId: String(BigInt(index) === count - 1n ? allIds - 1n : BigInt(index + 1) * width - 1n),
  }));
}
