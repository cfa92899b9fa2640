/** The primary result codes of SQLite that our code depends on. */
export const sqliteCodes = { busy: 5, locked: 6, readOnly: 8, full: 13, cannotOpen: 14 } as const;

/** Returns the primary code of an error from SQLite, and undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  // The low byte is the primary code. The rest gives more detail.
  return Number(error.errcode) & 0xff;
}
