import { existsSync } from 'node:fs';
import { findNextKeyFile } from '../../../control/database/secret-key-file.ts';
import { dataFolder } from '../../../files/data-folder.ts';
import type { CommandInput } from '../../command.ts';
import { isInUse } from '../../parts/is-in-use.ts';
import { hasData, withControl } from '../../parts/with-control.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

export async function checkControl(input: CommandInput): Promise<Finding[]> {
  const isNew = !hasData(input.config) && !(await isInUse(dataFolder(input.config.dataDir)));
  if (isNew) return [warning('no database yet', 'start the server once: trackside serve')];
  const { websites, lostIds, secrets } = await withControl(input, async (control) => {
    await control.checkPages();
    return {
      websites: await control.websites.list(),
      lostIds: await control.websites.lostIds(),
      secrets: await control.trySecrets(),
    };
  });
  const { secretKeyFile } = input.config;
  return [
    ok(`${websites.length} ${websites.length === 1 ? 'website' : 'websites'}`),
    judgeSecrets(secrets, secretKeyFile),
    ...judgeLost(lostIds),
    ...(await findLeftKey(secretKeyFile)),
  ];
}

function judgeLost(ids: readonly number[]): Finding[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, 20).join(', ');
  return [
    warning(
      `an older control database was restored, which lacks the websites with these IDs: ${shown}`,
      'add each of them again, with its records: trackside website add DOMAIN --lost-id ID',
    ),
  ];
}

function judgeSecrets({ values, broken }: { values: number; broken: string[] }, file: string): Finding {
  if (broken.length === 0) return ok(`${file} opens everything that is encrypted (${values})`);
  const more = broken.length === 1 ? '' : ` and ${broken.length - 1} more`;
  return fault(
    `${file} does not open ${broken[0]}${more}`,
    'restore the control database from a backup that fits this key: it was changed or is damaged',
  );
}

/** An open database has the key that fits it. So another one is what an interrupted rotation left. */
async function findLeftKey(secretKeyFile: string): Promise<Finding[]> {
  const file = await findNextKeyFile(secretKeyFile);
  if (!existsSync(file)) return [];
  return [
    warning(
      `a rotation of the secret key was interrupted, before it changed anything`,
      `run \`trackside secret-key rotate\` again, or delete ${file}`,
    ),
  ];
}
