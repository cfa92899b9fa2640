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
  // Some servers pass on a path as the browser encodes it, others decode it.
  const { pathname } = new URL(`http://localhost${path}`);
  const paths = new Set([path, pathname].flatMap((each) => [each, `${each}/`]));
  return (candidate) => paths.has(candidate);
}
