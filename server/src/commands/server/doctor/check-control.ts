import { dataFolder } from '../../../files/data-folder.ts';
import type { CommandInput } from '../../command.ts';
import { isInUse } from '../../parts/open-own-control.ts';
import { hasData, withControl } from '../../parts/with-control.ts';
import { type Finding, ok, warning } from './finding.ts';

export async function checkControl(input: CommandInput): Promise<Finding[]> {
  const isNew = !hasData(input.config) && !(await isInUse(dataFolder(input.config.dataDir)));
  if (isNew) return [warning('no database yet', 'start the server once: trackside serve')];
  const websites = await withControl(input, (control) => control.websites.list());
  return [ok(`${websites.length} ${websites.length === 1 ? 'website' : 'websites'}`)];
}
