import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Log } from '../log.ts';

/**
 * Tells the operator that requests arrive through a proxy that isn't trusted, so that everyone who signs in
 * through it looks the same. It says so once in the log, and leaves a file for `doctor`. Each start forgets
 * what the previous one has seen.
 */
export function noteUnknownProxy({ file, log }: { file: string; log: Log }): () => void {
  rmSync(file, { force: true });
  let isNoted = false;
  return () => {
    if (isNoted) return;
    isNoted = true;
    log.warn(
      'requests arrive through a proxy (X-Forwarded-For or Forwarded), ' +
        'but TRACKSIDE_TRUSTED_PROXIES is 0: everyone who signs in shares the same limit on attempts. ' +
        'Set it to the number of proxies in front of this server.',
    );
    writeFile(file, '', { mode: 0o600 }).catch((error: unknown) => {
      log.warn({ err: error, file }, 'cannot save a note about the proxy for `trackside doctor`');
    });
  };
}
