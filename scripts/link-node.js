// Puts the pinned Node at node_modules/.bin/node if npm has not. Its packages for all platforms bring a
// command of that name. npm 10 removes the ones that do not fit, and with them the link of the one that does.
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
