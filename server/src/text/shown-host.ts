import { domainToASCII, domainToUnicode } from 'node:url';
import { isReadableLabel } from '@trackside/contract/stats/is-readable-label.ts';

/**
 * Returns a host as people read it: `xn--mller-kva.example:8080` is `müller.example:8080`. A label that could
 * be taken for another one stays encoded, as browsers do it.
 */
export function shownHost(host: string): string {
  if (!host.includes('xn--')) return host;
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(host) ?? [];
  const labels = name.split('.');
  const last = decodeLabel(labels.at(-1)!);
  return labels.map((label) => (label.startsWith('xn--') ? showLabel(label, last) : label)).join('.') + port;
}

/** Converts a host that someone typed into the form that records have: in lowercase and punycode. */
export function encodedHost(host: string): string {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/s.exec(host) ?? [];
  const ascii = domainToASCII(name);
  return ascii === '' ? host.toLowerCase() : ascii + port;
}

function showLabel(label: string, topLevel: string): string {
  const shown = decodeLabel(label);
  const isExact = shown !== '' && domainToASCII(shown) === label;
  return isExact && isReadableLabel(shown, topLevel) ? shown : label;
}

const decodeLabel = (label: string) => (label.startsWith('xn--') ? domainToUnicode(label) : label);
