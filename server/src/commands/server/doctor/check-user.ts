import { findOwnership } from '../find-ownership.ts';
import { type Finding, ok, warning } from './finding.ts';

export async function checkUser(options: { dataDir: string; uid: number }): Promise<Finding[]> {
  const found = await findOwnership(options);
  if (found.length === 0) return [ok(`user ${options.uid} owns the data folder`)];
  return found.map(({ says, todo }) => warning(says, todo));
}
