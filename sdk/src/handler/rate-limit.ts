import { isMappedIpv4, toIpGroups } from '@trackside/contract/tracking/ip-groups.ts';

type Bucket = { tokens: number; atMs: number };
type Limits = {
  perMinute: number;
  maxKeys: number;
  /** A clock that is never set. */
  nowMs: () => number;
};

export type RateLimit = {
  /** Takes one for this visitor: 0, or how long until there is one again. */
  take(address: string, userAgent: string): number;
};

const minuteMs = 60_000;
/** A whole office or a mobile network can stand behind one address. */
const visitorsOfAddress = 10;

/**
 * So many a minute for each visitor, who is an address with a user agent. A user agent is easily made up, so
 * an address has a limit too.
 */
export function createRateLimit(limits: Limits): RateLimit {
  const { perMinute } = limits;
  if (!Number.isFinite(perMinute) || perMinute <= 0) {
    throw new Error(
      `rateLimit.perMinute: expected a number above 0, got ${perMinute}; no limit is rateLimit: false`,
    );
  }
  const visitors = createBuckets(limits);
  const addresses = createBuckets({ ...limits, perMinute: perMinute * visitorsOfAddress });
  return {
    take(address, userAgent) {
      const network = limitedNetwork(address);
      return addresses(network) || visitors(`${network} ${hashText(userAgent)}`);
    },
  };
}

/**
 * A bucket of tokens for each key, full at first and filled again over a minute. Only so many keys are
 * remembered; who was away longest is forgotten first, and has a full bucket when back.
 */
function createBuckets({ perMinute, maxKeys, nowMs }: Limits): (key: string) => number {
  const capacity = Math.max(1, perMinute);
  const perMs = perMinute / minuteMs;
  // In the order of last use, which is what a Map keeps when an entry is taken out and put back.
  const buckets = new Map<string, Bucket>();

  function fill(key: string, now: number): Bucket {
    const bucket = buckets.get(key);
    if (bucket === undefined) {
      if (buckets.size >= maxKeys) buckets.delete(buckets.keys().next().value!);
      return { tokens: capacity, atMs: now };
    }
    buckets.delete(key);
    bucket.tokens = Math.min(capacity, bucket.tokens + (now - bucket.atMs) * perMs);
    bucket.atMs = now;
    return bucket;
  }

  return (key) => {
    const bucket = fill(key, nowMs());
    buckets.set(key, bucket);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / perMs;
    bucket.tokens -= 1;
    return 0;
  };
}

/** A household has a /64 to itself, and a device in it takes new addresses at will. */
function limitedNetwork(address: string): string {
  const groups = toIpGroups(address);
  if (groups === undefined || isMappedIpv4(groups)) return address;
  return groups.slice(0, 4).join(':');
}

/** FNV-1a, so that a long user agent takes no more memory than a short one. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
