import { listManifests } from '../../backup/manifest.ts';
import { openPlace } from '../../backup/open-place.ts';
import { assertOwnPlace } from '../../backup/place-mark.ts';
import type { S3Access } from '../../backup/s3-place.ts';
import { OperatorError } from '../../operator-error.ts';
import { withinPatience } from './within-patience.ts';

/** Returns why the backups in a place can't be used, if that is so. */
export async function findPlaceFault(
  name: string,
  installation: string,
  s3: S3Access,
): Promise<string | undefined> {
  const look = async () => {
    const place = openPlace(name, s3);
    await assertOwnPlace(place, installation);
    if ((await listManifests(place)).length === 0) throw new OperatorError(`${name} has no backups anymore.`);
  };
  try {
    await withinPatience(look());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
