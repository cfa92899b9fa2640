// Puts the pinned Node at node_modules/.bin/node where npm has not. Its packages for all platforms bring a
// command of that name, and npm 10 removes the link of the one that fits together with the packages that
// don't.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const commands = join(root, 'node_modules', '.bin');
const { platform, arch } = process;

for (const name of [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]) {
  if (existsSync(join(commands, 'node')) || !existsSync(join(root, 'node_modules', name, 'bin', 'node')))
    continue;
  mkdirSync(commands, { recursive: true });
  symlinkSync(join('..', name, 'bin', 'node'), join(commands, 'node'));
}
