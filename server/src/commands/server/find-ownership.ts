import { stat } from 'node:fs/promises';
import { userName } from '../../files/user-name.ts';

/** Returns what is wrong with the user who runs this process, and what to do about it. */
export async function findOwnership(options: {
  dataDir: string;
  uid: number;
}): Promise<{ says: string; todo: string }[]> {
  const { dataDir, uid } = options;
  // This system has no user ids.
  if (uid < 0) return [];
  const found: { says: string; todo: string }[] = [];
  const owner = (await stat(dataDir).catch(() => undefined))?.uid ?? uid;
  if (owner !== uid) {
    found.push({
      says:
        `${dataDir} belongs to the user with the ID ${owner}, ` +
        `but this process runs as the user with the ID ${uid}`,
      todo: await adviseOn({ dataDir, uid, owner }),
    });
  }
  // Root on someone else's folder should run as that user, which the finding above already says.
  if (uid === 0 && owner === 0) {
    found.push({
      says: 'this process runs as root, which Trackside does not need',
      todo: 'create a user for Trackside and set User= in its service file, as docs/deploying.md shows',
    });
  }
  return found;
}

/** A folder that root gives to itself would be closed to the user who runs the server. */
async function adviseOn({ dataDir, uid, owner }: { dataDir: string; uid: number; owner: number }) {
  if (uid !== 0) return `run it as the owner, or change the owner: chown -R ${uid} ${dataDir}`;
  const name = await userName(owner);
  return `run it as the owner: sudo -u ${name}, or User=${name} in its service file`;
}
