import type { CommandInput } from '../command.ts';
import { hasData, withControl } from '../with-control.ts';
import { type Finding, ok, warning } from './finding.ts';

export async function checkControl(input: CommandInput): Promise<Finding[]> {
  if (!hasData(input.config)) return [warning('no database yet', 'start the server once: trackside serve')];
  const websites = await withControl(input, (control) => control.websites.list());
  return [ok(`${websites.length} ${websites.length === 1 ? 'website' : 'websites'}`)];
}
