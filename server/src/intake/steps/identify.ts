import { createLocalTime, type LocalTime } from '@trackside/contract/calendar/local-time.ts';
import { canonicalAddress } from '@trackside/contract/tracking/ip-groups.ts';
import type { Admitted } from '../contingent/contingent.ts';
import type { Refusal } from '../refusal.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { visitorOfClient } from './visitor-of-client.ts';

export type Visitor = { id: string; hasClientId: boolean };
/** The last stage that knows IP address and ClientId: what leaves this step holds only their hash. */
export type Identified = Admitted & { local: LocalTime; visitor: Visitor };

/**
 * Gives the visitor a 64-bit pseudonym. With a ClientId it is keyed by the website's own secret and lasts;
 * without, it is keyed by the salt of the website's local day, so that nobody can link two days once the salt
 * is destroyed.
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
