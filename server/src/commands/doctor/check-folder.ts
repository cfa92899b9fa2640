import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { hasData } from '../with-control.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const open = 0o077;
/** As the server judges it: the group may read, which is how container platforms hand out secrets. */
const openKey = 0o027;

export async function checkFolder(config: Config): Promise<Finding[]> {
  const { dataDir, secretKeyFile } = config;
  const folder = await stat(dataDir).catch(() => undefined);
  if (folder === undefined)
    return [warning(`${dataDir} is not there yet`, 'start the server once: trackside serve')];
  if (!folder.isDirectory()) return [fault(`${dataDir} is not a folder`, 'set another --data-dir')];
  const findings: Finding[] = [];
  const canUse = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  findings.push(
    canUse
      ? ok(`${dataDir} can be read and written`)
      : fault(`${dataDir} cannot be read and written by this user`, `run as its owner, or chown it`),
  );
  if ((folder.mode & open) !== 0)
    findings.push(warning('other users can look into it', `chmod 700 ${dataDir}`));
  const key = await stat(secretKeyFile).catch(() => undefined);
  if (key === undefined) {
    // The first start makes the key; only what was sealed with one needs it back.
    if (!hasData(config)) return findings;
    findings.push(
      fault(
        `the key file ${secretKeyFile} is missing`,
        'restore it: stored API keys cannot be read without it',
      ),
    );
  } else if ((key.mode & openKey) !== 0) {
    findings.push(fault('the key file is open to other users', `chmod 600 ${secretKeyFile}`));
  }
  return findings;
}
