import { cutEncoded } from './cut-text.ts';
import { looksPrivate } from './looks-private.ts';

const maxPathChars = 2048;
// Most paths lack every sign that something private needs: no dot, no @, no escape, no base64.
const harmless = /^[a-z\d_/~+!'(),*-]*$/;

/** The path of an address, with every segment masked that holds something private. */
export function cleanPath(pathname: string, mask: string): string {
  if (pathname === '') return '/';
  if (harmless.test(pathname)) return cutEncoded(pathname, maxPathChars);
  const segments = pathname.split('/').map((segment) => (looksPrivate(segment) ? mask : segment));
  return cutEncoded(segments.join('/'), maxPathChars);
}
