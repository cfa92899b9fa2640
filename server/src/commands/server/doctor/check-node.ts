import { type Finding, fault, ok } from './finding.ts';

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return ok(`version ${version}`);
  return fault(`version ${version} is too old`, 'run `npx trackside`, which comes with its own Node');
}
