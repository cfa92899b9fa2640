import type { RefusedShape, TallyPlace } from '../../control/tally/tally-rows.ts';

/** How many releases and reasons of refusals are told apart, for each website and UTC day. */
const maxReleases = 50;
const maxReasons = 200;
/** How many streams of a website a node follows at a time. */
const maxStreams = 1000;
/** A stream that was silent for this long makes room for another one. */
const streamKeptMs = 73 * 3_600_000;
const dayMs = 86_400_000;

/** What is used instead of a release that is one too many. */
export const otherRelease = '(other)';

type OfWebsite = { day: number; releases: Set<string>; reasons: Set<string> };

/** Keeps the number of rows small, whatever a sender makes up. */
export function createTallyBounds() {
  const websites = new Map<number, OfWebsite>();
  /** When each stream was last seen, by website, and when those that are silent were last looked for. */
  const streams = new Map<number, { seen: Map<string, number>; sweptAt: number; wasFull: boolean }>();

  function of(websiteId: number, hour: number): OfWebsite {
    const day = Math.floor(hour / dayMs);
    let found = websites.get(websiteId);
    if (found === undefined || found.day !== day) {
      found = { day, releases: new Set(), reasons: new Set() };
      websites.set(websiteId, found);
    }
    return found;
  }

  return {
    /** Returns the release that a record is counted with. */
    releaseOf({ websiteId, hour, release }: Pick<TallyPlace, 'websiteId' | 'hour' | 'release'>): string {
      if (release === '') return release;
      return hasRoom(of(websiteId, hour).releases, release, maxReleases) ? release : otherRelease;
    },
    /** Returns the reason that a refusal is counted with. */
    shapeOf({ websiteId, hour, release }: TallyPlace, shape: RefusedShape): RefusedShape {
      const reason = JSON.stringify([release, shape.code, shape.field, shape.expected, shape.got]);
      if (hasRoom(of(websiteId, hour).reasons, reason, maxReasons)) return shape;
      return { code: shape.code, field: '', expected: '', got: '' };
    },
    /**
     * Whether the numbers of a stream are followed. It is `from-here` if earlier ones may have been counted
     * without their numbers, because there was no room.
     */
    follows(websiteId: number, stream: string, hour: number): boolean | 'from-here' {
      let ofWebsite = streams.get(websiteId);
      if (ofWebsite === undefined) {
        ofWebsite = { seen: new Map(), sweptAt: hour, wasFull: false };
        streams.set(websiteId, ofWebsite);
      }
      const { seen } = ofWebsite;
      const isNew = !seen.has(stream);
      if (isNew && seen.size >= maxStreams) {
        ofWebsite.wasFull = true;
        if (ofWebsite.sweptAt === hour) return false;
        ofWebsite.sweptAt = hour;
        for (const [name, lastSeen] of seen) if (lastSeen + streamKeptMs < hour) seen.delete(name);
        if (seen.size >= maxStreams) return false;
      }
      seen.set(stream, hour);
      return isNew && ofWebsite.wasFull ? 'from-here' : true;
    },
  };
}

function hasRoom(known: Set<string>, name: string, most: number): boolean {
  if (known.has(name)) return true;
  if (known.size >= most) return false;
  known.add(name);
  return true;
}
