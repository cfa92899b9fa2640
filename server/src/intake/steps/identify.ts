import { isIPv6 } from 'node:net';
import { createLocalTime, type LocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Refusal } from '../refusal.ts';
import type { Admitted } from './admit.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { visitorOfClient } from './visitor-of-client.ts';

export type Visitor = { id: string; hasClientId: boolean };
/** The last stage that knows IP address and ClientId: what leaves this step holds only their hash. */
export type Identified = Admitted & { local: LocalTime; visitor: Visitor };

/**
 * Gives the visitor a 64-bit pseudonym. With a ClientId it is keyed by the website's own secret and lasts; without, it
 * is keyed by the salt of the website's local day, so that nobody can link two days once the salt is destroyed.
 */
export function createIdentify(salts: { get(date: string): Buffer | undefined }) {
  const keyedHash = createKeyedHash();
  const localTimes = new Map<string, (ms: number) => LocalTime>();

  const localTimeOf = (timezone: string) => {
    let localTime = localTimes.get(timezone);
    if (localTime === undefined) {
      localTime = createLocalTime(timezone);
      localTimes.set(timezone, localTime);
    }
    return localTime;
  };

  return (admitted: Admitted): Identified | Refusal => {
    const { website, valid, receivedAtMs, place } = admitted;
    const { Browser, Identify } = valid.body.Metrics;
    const local = localTimeOf(website.timezone)(receivedAtMs);
    let visitor: Visitor;
    if (Identify.ClientId) {
      visitor = {
        id: visitorOfClient(keyedHash, website, Identify.ClientId),
        hasClientId: true,
      };
    } else {
      const salt = salts.get(local.day);
      if (salt === undefined) {
        return { refused: 'no-salt', message: 'The salt of the day is not there yet: try again in a moment' };
      }
      const who = `visitor\0${website.id}\0${canonicalAddress(Browser.IP)}\0${Browser.UserAgent}`;
      visitor = { id: keyedHash(salt, who), hasClientId: false };
    }
    return { website, valid, receivedAtMs, place, local, visitor };
  };
}

const mappedIpv4 = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** One spelling for one address; an IPv4 address in IPv6 clothes is the IPv4 address. */
export function canonicalAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const mapped = mappedIpv4.exec(canonical);
  if (mapped === null) return canonical;
  const high = Number.parseInt(mapped[1]!, 16);
  const low = Number.parseInt(mapped[2]!, 16);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
