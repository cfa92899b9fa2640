export const defaultPath = '/side';

/**
 * Creates a test whether a path is the endpoint's, with or without a trailing slash, because some servers add
 * one.
 */
export function createPathTest(path: string = defaultPath): (path: string) => boolean {
  if (typeof path !== 'string' || !/^\/[^?#\s]*[^?#\s/]$/.test(path)) {
    throw new Error(
      `path: expected a path that begins with "/" and does not end with it, such as "${defaultPath}", ` +
        `got ${JSON.stringify(path)}`,
    );
  }
  const withSlash = `${path}/`;
  return (candidate) => candidate === path || candidate === withSlash;
}
