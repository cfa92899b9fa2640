import { statfs } from 'node:fs/promises';
import type { Config } from '../../../config/config.ts';
import { type Finding, fault, ok, showBytes, warning } from './finding.ts';

export async function checkDisk(config: Config): Promise<Finding[]> {
  const { bavail, bsize, files, ffree } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const findings: Finding[] = [];
  if (free < config.minFreeBytes) {
    findings.push(
      fault(
        `${showBytes(free)} free: records are refused`,
        `free up space on the disk of the data folder, up to ${showBytes(config.minFreeBytes)}, or lower --min-free-bytes`,
      ),
    );
  } else if (free < 4 * config.minFreeBytes) {
    findings.push(
      warning(
        `${showBytes(free)} free`,
        `free up space: below ${showBytes(config.minFreeBytes)}, records are refused`,
      ),
    );
  } else findings.push(ok(`${showBytes(free)} free`));
  if (files > 0 && ffree < 10_000)
    findings.push(
      warning(`${ffree} ${ffree === 1 ? 'inode' : 'inodes'} left`, 'remove small files from this disk'),
    );
  return findings;
}
