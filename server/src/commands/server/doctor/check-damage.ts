import { readDamage } from '../../../damage/damage-log.ts';
import { type Finding, fault, ok } from './finding.ts';

/** Lists the damage on disk that the server found and that nobody has dealt with yet. */
export async function checkDamage(folder: string): Promise<Finding[]> {
  const known = await readDamage(folder);
  if (known.length === 0) return [ok('none known')];
  return known.map(({ id, says, todo }) => fault(`${id}: ${says}`, todo));
}
