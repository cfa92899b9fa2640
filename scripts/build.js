// Builds the named workspaces of this folder at the same time. Each one's output is shown when it is done.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

async function build(workspace) {
  const child = spawn('npm', ['run', 'build', '-w', workspace], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [said, warned, status] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  process.stdout.write(said);
  process.stderr.write(warned);
  if (status !== 0) process.exitCode = 1;
}

await Promise.all(process.argv.slice(2).map(build));
