import { existsSync } from 'node:fs';
import type { dataFolder } from '../../../files/data-folder.ts';
import { type Finding, warning } from './finding.ts';

/**
 * Reports a proxy that the server has seen since its last start. This process receives no requests of its
 * own.
 */
export function checkProxies(folder: ReturnType<typeof dataFolder>): Finding[] {
  if (!existsSync(folder.unknownProxy)) return [];
  return [
    warning(
      'requests arrive through a proxy, but TRACKSIDE_TRUSTED_PROXIES is 0: ' +
        'everyone who signs in shares the same limit on attempts',
      'set TRACKSIDE_TRUSTED_PROXIES to the number of proxies in front of the server, and restart it',
    ),
  ];
}
