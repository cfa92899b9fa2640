import { cutEncoded } from './cut-text.ts';
import { looksPrivate } from './looks-private.ts';

const maxPathChars = 2048;
// Most paths have none of the characters that private data needs: no dot, no @, no escape, no base64.
const harmless = /^[a-z\d_/~+!'(),*-]*$/;

/** Returns the path of a URL, with every segment masked that holds something private. */
export function cleanPath(pathname: string, mask: string): string {
  if (pathname === '') return '/';
  if (harmless.test(pathname)) return cutEncoded(pathname, maxPathChars);
  const segments = pathname.split('/').map((segment) => (looksPrivate(segment) ? mask : segment));
  return cutEncoded(segments.join('/'), maxPathChars);
}
