import { describeOption } from './describe-option.ts';

const maxCharacters = 64;

/** Reads the option, or else the environment. A variable that is set to nothing is not set. */
export function readRelease(value: unknown): string | undefined {
  if (value !== undefined) return checkRelease('release', value);
  const variable = readVariable()?.trim();
  return variable ? checkRelease('TRACKSIDE_RELEASE', variable) : undefined;
}

function checkRelease(name: string, value: unknown): string {
  const release = typeof value === 'string' ? value.trim() : undefined;
  // It is sent as a header.
  if (release !== undefined && release.length <= maxCharacters && /^[ -~]+$/.test(release)) return release;
  throw new Error(
    `Trackside: ${name}: expected 1 to ${maxCharacters} printable ASCII characters, such as a version or a ` +
      `commit, got ${describeRelease(release ?? value)}.`,
  );
}

function describeRelease(value: unknown): string {
  if (typeof value !== 'string' || value === '') return describeOption(value);
  return value.length > maxCharacters ? `${value.length} characters` : 'others';
}

/** Not every runtime has an environment, and some ask for permission to read it. */
function readVariable(): string | undefined {
  const { process } = globalThis as { process?: { env?: { TRACKSIDE_RELEASE?: unknown } } };
  try {
    const value = process?.env?.TRACKSIDE_RELEASE;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
