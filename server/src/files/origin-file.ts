import { writeFile } from 'node:fs/promises';
import type { Log } from '../log.ts';

/** Tells commands where the server is. Without it, they ask at the address in their own settings. */
export async function writeOrigin(file: string, origin: string, log: Log): Promise<void> {
  await writeFile(file, `${origin}\n`, { mode: 0o600 }).catch((error: unknown) =>
    log.warn({ err: error }, "cannot save this server's address for other commands"),
  );
}
