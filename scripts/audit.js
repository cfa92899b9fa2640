// Checks the installed packages: their hashes, their licenses, and known advisories.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(script) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    stdio: 'inherit',
  });
  return status === 0;
}

/**
 * Asks for advisories. npm also exits with 1 if it finds some, so only its output shows whether it could ask.
 */
function askForAdvisories() {
  const npm = process.env.npm_execpath;
  const [command, before] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { stdout, stderr, error } = spawnSync(command, [...before, 'audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const report = readJson(stdout ?? '');
  const found = report?.metadata?.vulnerabilities;
  if (found === undefined) {
    const cause =
      report?.error?.summary || report?.message || error?.message || stderr || 'npm gave no report';
    process.stderr.write(
      `Advisories were NOT checked: the advisory database could not be reached (${firstLine(cause)}). ` +
        'Run this again with a registry that answers `npm audit`.\n',
    );
    return false;
  }
  for (const { name, severity, via } of Object.values(report.vulnerabilities ?? {})) {
    const titles = via.map((cause) => (typeof cause === 'string' ? `by ${cause}` : cause.title));
    process.stderr.write(`${name}: ${severity}: ${titles.join('; ')}\n`);
  }
  if (found.total === 0)
    process.stdout.write('No advisory is known for the packages in package-lock.json.\n');
  return found.total === 0;
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the first line without the registry's URL, which does not belong in a log. */
function firstLine(text) {
  return text
    .trim()
    .split('\n')[0]
    .replace(/https?:\/\/\S+/g, 'the registry');
}

const results = [run('refuse-unverified.js'), run('check-licences.js'), askForAdvisories()];
process.exitCode = results.every(Boolean) ? 0 : 1;
