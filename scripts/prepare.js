// Builds the service and the SDK after an install. An install without development tools is for running the
// service only.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const hasTools = existsSync(join(root, 'node_modules', 'typescript', 'package.json'));
if (!hasTools)
  process.stdout.write(
    'Building the service only: the SDK needs development tools (`npm ci` without --omit=dev).\n',
  );
const { status } = spawnSync('npm', ['run', hasTools ? 'build' : 'build:service'], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
