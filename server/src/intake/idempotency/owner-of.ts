/**
 * Returns which worker knows whether a record is a repeat, by the hash of its key. All attempts go to the same
 * worker, whoever receives them.
 */
export function ownerOf(hash: Buffer, workers: number): number {
  return (hash.readUInt32LE(0) % workers) + 1;
}
