/** SQLite's primary result codes that something is decided by. */
export const sqliteCodes = { busy: 5, locked: 6, full: 13 } as const;

/** The primary code of what SQLite reports; undefined for everything else. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  // The low byte is the primary code; the rest says more exactly what it was.
  return Number(error.errcode) & 0xff;
}
