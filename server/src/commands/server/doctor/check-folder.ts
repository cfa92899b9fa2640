import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Config } from '../../../config/config.ts';
import { dataFolder } from '../../../files/data-folder.ts';
import { type Exposed, findExposed, showMode } from '../../../files/folder-access.ts';
import { readSystemFault } from '../../../files/system-fault.ts';
import { hasData } from '../../parts/with-control.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

export async function checkFolder(config: Config): Promise<Finding[]> {
  const { dataDir, secretKeyFile } = config;
  const folder = await stat(dataDir).catch(() => undefined);
  if (folder === undefined)
    return [warning(`${dataDir} does not exist yet`, 'start the server once: trackside serve')];
  if (!folder.isDirectory()) return [fault(`${dataDir} is not a folder`, 'choose another --data-dir')];
  const findings: Finding[] = [];
  const denied: unknown = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => error,
  );
  const systemFault = readSystemFault(denied);
  if (denied === undefined) findings.push(ok(`${dataDir} is readable and writable`));
  else if (systemFault?.kind === 'read-only') findings.push(fault(systemFault.says, systemFault.todo));
  else
    findings.push(
      fault(
        `${dataDir} is not readable and writable for this user`,
        'run this as the owner of the folder, or change the owner (chown)',
      ),
    );
  const key = await stat(secretKeyFile).catch(() => undefined);
  // The first start creates the key. It is missing only if there is data that was sealed with it.
  if (key === undefined && hasData(config)) {
    findings.push(
      fault(
        `the key file ${secretKeyFile} is missing`,
        'restore it: the stored API keys cannot be read without it',
      ),
    );
  }
  const exposed = await findExposed({ folder: dataFolder(dataDir), secretKeyFile, uid: folder.uid });
  return [...findings, ...judge(exposed)];
}

function judge(exposed: readonly Exposed[]): Finding[] {
  const findings: Finding[] = [];
  const others = exposed.filter(({ kind }) => kind === 'other' || kind === 'control database');
  for (const { kind, path, wanted } of exposed) {
    const todo = `chmod ${wanted.toString(8)} ${path}`;
    if (kind === 'data folder') findings.push(warning('other users can see what is in it', todo));
    if (kind === 'secret key') findings.push(fault('the key file is open to other users', todo));
  }
  const worst = others.find(({ isGrave }) => isGrave) ?? others[0];
  if (worst === undefined) return findings;
  const more = others.length === 1 ? '' : ` and ${others.length - 1} more`;
  const says = `other users can open ${worst.path} (mode ${showMode(worst.mode)})${more}`;
  const one = `chmod ${worst.wanted.toString(8)} ${worst.path}`;
  const todo = `${one}; restarting the server fixes all of them`;
  findings.push(worst.isGrave ? fault(says, todo) : warning(says, todo));
  return findings;
}
