import { isIP } from 'node:net';
import { expected } from './rule.ts';

/** An IPv4 or IPv6 literal: no port, no zone, no brackets. */
export function ipAddress(value: unknown): string | undefined {
  if (typeof value === 'string' && isIP(value) !== 0 && !value.includes('%')) return undefined;
  return expected('an IPv4 or IPv6 address without port or zone', value);
}
