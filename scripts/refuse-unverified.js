// Fails if a package is installed that package-lock.json has no hash for, because npm could not check what it
// downloaded. Runs right after npm has unpacked the packages and before any of them is used.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

const unverified = Object.entries(packages)
  .filter(([path, { link, integrity, inBundle }]) => {
    // A package inside another one is covered by that one's hash.
    const isDownloaded = path.includes('node_modules/') && !link && !inBundle;
    return isDownloaded && !integrity && existsSync(join(root, path, 'package.json'));
  })
  .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);

if (unverified.length > 0) {
  process.stderr.write(
    'Installed without a check, because package-lock.json has no hash for this platform: ' +
      `${unverified.join(', ')}.\n` +
      'Run `npm run lock`, which gets the hashes from your registry, compare them with a source you trust, ' +
      'and run `npm ci` again.\n',
  );
  process.exitCode = 1;
}
