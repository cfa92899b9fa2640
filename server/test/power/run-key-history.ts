import { createSecretKey, readSecretKey } from '../../src/control/database/secret-key-file.ts';
import { readMark, writeMark } from '../../src/files/mark-file.ts';
import { createRandom } from '../torture/create-random.ts';
import { SimulatedDisk } from './simulated-disk.ts';

const keyFile = '/data/secret.key';
const installation = '/data/installation';
const lives = 3;
/** More than it takes to write both files. */
const changesOfLife = 16;

/**
 * Creates the key and the mark of a data folder on a disk that loses power meanwhile. A key that was returned
 * encrypts data, so it must never change. Returns what doesn't hold.
 */
export async function runKeyHistory(seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const broken: string[] = [];
  let key: string | undefined;
  let isMarked = false;
  let disk = new SimulatedDisk(random);

  const check = async (): Promise<void> => {
    const found = (await readSecretKey(keyFile, disk).catch((error) => broken.push(String(error)))) as
      | Buffer
      | undefined;
    if (key !== undefined && found?.toString('hex') !== key)
      broken.push('the secret key has changed or is gone');
    const mark = await readMark(installation, disk);
    if (isMarked && mark === undefined) broken.push('the mark of the installation is gone');
  };
  const live = async (): Promise<void> => {
    await check();
    const found = (await readSecretKey(keyFile, disk)) ?? (await createSecretKey(keyFile, disk));
    key ??= found.toString('hex');
    await writeMark(installation, 'some-id', disk);
    isMarked = true;
    disk.cutPowerNow();
  };
  for (let life = 1; life <= lives && broken.length === 0; life += 1) {
    disk.cutAtChange = random.whole(1, changesOfLife);
    await Promise.race([live(), disk.powerCut]);
    disk = disk.afterPowerCut();
  }
  await check();
  return broken;
}
