// Fails if an installed package has a license that is not on the list of permissive ones.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const permissive = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Zlib',
  'Python-2.0',
]);

/** Packages by name, or by the start of the name, with the allowed license and the reason. */
const exceptions = [
  { name: 'axe-core', licence: 'MPL-2.0', reason: 'a test tool that is run as it is and not shipped' },
  { name: 'lightningcss', licence: 'MPL-2.0', reason: 'a build tool of Vite, run as it is and not shipped' },
  { name: 'lightningcss-*', licence: 'MPL-2.0', reason: 'the native part of lightningcss' },
  { name: '@fontsource-variable/inter', licence: 'OFL-1.1', reason: 'a font, served unchanged' },
];

/** Returns whether an expression is permissive. For `A OR B` one must be on the list, for `A AND B` both. */
function isPermissive(expression) {
  const words = expression.replace(/[()]/g, ' ').trim().split(/\s+/);
  if (words.includes('AND') && words.includes('OR')) return false;
  const licences = words.filter((word) => word !== 'AND' && word !== 'OR');
  return words.includes('OR')
    ? licences.some((licence) => permissive.has(licence))
    : licences.every((licence) => permissive.has(licence));
}

function isExcepted(name, licence) {
  return exceptions.some((exception) => {
    const isNamed = exception.name.endsWith('*')
      ? name.startsWith(exception.name.slice(0, -1))
      : name === exception.name;
    return isNamed && licence === exception.licence;
  });
}

function readLicence({ license, licenses }) {
  const stated = license ?? licenses?.map(({ type }) => type).join(' OR ');
  return (typeof stated === 'object' ? stated?.type : stated) || 'none';
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
let checked = 0;
for (const [path, { link }] of Object.entries(packages)) {
  const file = join(root, path, 'package.json');
  if (!path.includes('node_modules/') || link || !existsSync(file)) continue;
  checked += 1;
  const name = path.replace(/^.*node_modules\//, '');
  const licence = readLicence(JSON.parse(readFileSync(file, 'utf8')));
  if (isPermissive(licence) || isExcepted(name, licence)) continue;
  process.stderr.write(
    `${name} has the license ${licence}, which is not on the list of permissive ones. ` +
      'Use another package, or add an exception with its reason to scripts/check-licences.js.\n',
  );
  process.exitCode = 1;
}
if (process.exitCode !== 1) process.stdout.write(`${checked} installed packages have permissive licenses.\n`);
