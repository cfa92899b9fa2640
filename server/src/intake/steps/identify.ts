import { hash } from 'node:crypto';
import { createLocalTime, type LocalTime } from '@trackside/contract/calendar/local-time.ts';
import { canonicalAddress } from '@trackside/contract/tracking/ip-groups.ts';
import { endedEverywhereAt } from '../../control/privacy/keep-salts.ts';
import type { Admitted } from '../contingent/contingent.ts';
import type { Refusal } from '../refusal.ts';
import { refuseTime } from './create-waited.ts';
import { createDeviceParts } from './device-parts.ts';

export type Visitor = {
  id: string;
  hasClientId: boolean;
  /**
   * What the visitor would be without a ClientId, so that a visit stays together when someone signs in. It is
   * the visitor's own id if there is no ClientId, or no salt.
   */
  deviceId: string;
};
/** The last step that knows the IP address and the ClientId: what leaves it holds only their hash. */
export type Identified<Place = Admitted['place']> = Admitted<Place> & { local: LocalTime; visitor: Visitor };

export type Identify = <Place>(admitted: Admitted<Place>) => Identified<Place> | Refusal;

/** What identify needs of the salts: those that are there, and a way to get those that are not. */
export type DailySalts = { byDate: Pick<ReadonlyMap<string, string>, 'get'>; askForMissing(): void };

/**
 * Gives the visitor a 64-bit pseudonym. With a ClientId, it is keyed by the website's own secret and lasts.
 * Without one, it is keyed by the salt of the website's local day, so that nobody can link two days once the
 * salt is destroyed. A visitor with a ClientId carries the pseudonym of that day as well.
 */
export function createIdentify(salts: DailySalts): Identify {
  const localTimeOf = createLocalTimes();
  // They remember their last minute, so records from earlier have others.
  const earlierTimeOf = createLocalTimes();
  const partOf = createDeviceParts();

  return (admitted) => {
    const { website, valid, receivedAtMs, waitedMs, place } = admitted;
    const { Browser, Identify } = valid.body.Metrics;
    const localTime = waitedMs === 0 ? localTimeOf(website.timezone) : earlierTimeOf(website.timezone);
    const local = localTime(receivedAtMs - waitedMs);
    const salt = salts.byDate.get(local.day);
    if (salt === undefined) salts.askForMissing();
    let deviceId: string | undefined;
    if (salt !== undefined) {
      deviceId = deviceOf(website.id, Browser, salt);
      const part = partOf(deviceId, valid, receivedAtMs);
      if (part > 0) deviceId = keyedHash(salt, `part\0${part}\0${deviceId}`);
    }
    let visitor: Visitor;
    if (Identify.ClientId) {
      const id = visitorOfClient(website, Identify.ClientId);
      visitor = { id, hasClientId: true, deviceId: deviceId ?? id };
    } else if (deviceId !== undefined) {
      visitor = { id: deviceId, hasClientId: false, deviceId };
    } else if (receivedAtMs >= endedEverywhereAt(local.day)) {
      return refuseTime({
        expected: 'a time on a day whose salt is still kept',
        got: `one on ${local.day}`,
        advice: 'without the salt, it cannot be told which visitor it was',
      });
    } else {
      return {
        refused: 'no-salt',
        message: 'The salt of the day is not available yet: try again in a moment',
      };
    }
    return { website, valid, receivedAtMs, waitedMs, place, local, visitor };
  };
}

function createLocalTimes(): (timezone: string) => (ms: number) => LocalTime {
  const localTimes = new Map<string, (ms: number) => LocalTime>();
  return (timezone) => {
    let localTime = localTimes.get(timezone);
    if (localTime === undefined) {
      localTime = createLocalTime(timezone);
      localTimes.set(timezone, localTime);
    }
    return localTime;
  };
}

function deviceOf(websiteId: number, browser: { IP: string; UserAgent: string }, salt: string): string {
  return keyedHash(salt, `visitor\0${websiteId}\0${canonicalAddress(browser.IP)}\0${browser.UserAgent}`);
}

/** The visitor with this ClientId: the same on all days, because the key is the website's own secret. */
export function visitorOfClient(website: { id: number; clientIdKey: string }, clientId: string): string {
  return keyedHash(website.clientIdKey, `client\0${website.id}\0${clientId}`);
}

/**
 * SHA-256 over a key of fixed length and the text, cut to 64 bits: the bits that are cut off are those that
 * someone would need to extend the hash.
 */
function keyedHash(key: string, text: string): string {
  return BigInt(`0x${hash('sha256', key + text, 'hex').slice(0, 16)}`).toString();
}
