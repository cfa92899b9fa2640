import { isIPv4 } from 'node:net';
import { maxDomainLength } from '@trackside/contract/app/limits.ts';
import { ControlError } from '../database/control-error.ts';

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The domain as it appears in the URLs of pages: in lowercase, with international names in ASCII. */
export function parseDomain(text: string): string {
  const domain = hostOf(text);
  if (domain !== undefined) return domain;
  const suggestion = hostWithin(text);
  throw new ControlError(
    'invalid',
    `Domain: expected a host name such as www.example.com, without scheme, port and path, got "${text}"` +
      (suggestion === undefined ? '.' : `: use ${suggestion}`),
  );
}

function hostOf(text: string): string | undefined {
  const trimmed = text.trim();
  const isIPv6 = /^\[[0-9a-f:.]+\]$/i.test(trimmed);
  // A URL parser would silently cut these off or decode them.
  if (!isIPv6 && /[\s/\\?#@:%]/.test(trimmed)) return undefined;
  const host = URL.parse(`http://${trimmed}`)?.hostname.replace(/\.$/, '');
  if (host === undefined) return undefined;
  if (isIPv6) return host;
  // To a URL parser, `7` and `0x7f.1` are addresses. When written like that, they are mistakes.
  if (isIPv4(host) && host !== trimmed) return undefined;
  if (host.length > maxDomainLength || !host.split('.').every((part) => label.test(part))) return undefined;
  return host;
}

function hostWithin(text: string): string | undefined {
  const trimmed = text.trim();
  const host = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)?.hostname;
  return host === undefined ? undefined : hostOf(host);
}
