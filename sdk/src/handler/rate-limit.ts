import { isMappedIpv4, toIpGroups } from '@trackside/contract/tracking/ip-groups.ts';

type Bucket = { tokens: number; atMs: number };
type Limits = {
  perMinute: number;
  maxKeys: number;
  /** A monotonic clock. */
  nowMs: () => number;
};

export type RateLimit = {
  /** Counts one record for this visitor. Returns 0, or how long until the next one is allowed. */
  take(address: string, userAgent: string): number;
};

const minuteMs = 60_000;
/** A whole office or a mobile network can be behind one address. */
const visitorsOfAddress = 10;

/**
 * Creates a limit of records per minute for each visitor, which is an address with a user agent. A user agent
 * is easily forged, so an address has a limit too.
 */
export function createRateLimit(limits: Limits): RateLimit {
  const { perMinute } = limits;
  if (!Number.isFinite(perMinute) || perMinute <= 0) {
    throw new Error(
      `rateLimit.perMinute: expected a number above 0, got ${perMinute}; for no limit, set rateLimit: false`,
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
 * Creates a token bucket for each key, which is full at first and refilled over a minute. Only `maxKeys` are
 * remembered. The key that was unused the longest is forgotten first, and has a full bucket when it returns.
 */
function createBuckets({ perMinute, maxKeys, nowMs }: Limits): (key: string) => number {
  const capacity = Math.max(1, perMinute);
  const perMs = perMinute / minuteMs;
  // In the order of last use, because a Map puts an entry last if it is removed and added again.
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

/**
 * Returns the network that the limit applies to. A household has a /64 to itself, and its devices take new
 * addresses at will.
 */
function limitedNetwork(address: string): string {
  const groups = toIpGroups(address);
  if (groups === undefined || isMappedIpv4(groups)) return address;
  return groups.slice(0, 4).join(':');
}

/** Hashes with FNV-1a, so that a long user agent takes no more memory than a short one. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
