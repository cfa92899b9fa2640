type MediaRange = { type: string; quality: number; place: number };

/** How well the best range of an Accept header matches. Types are ranked by these, in this order. */
type Match = { quality: number; exactness: number; place: number };

/** Returns whether an Accept header (RFC 9110) wants CSV rather than JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').split(',').map(readRange);
  const [csv, json] = [findMatch(ranges, 'text/csv'), findMatch(ranges, 'application/json')];
  if (csv.quality === 0) return false;
  if (csv.quality !== json.quality) return csv.quality > json.quality;
  if (csv.exactness !== json.exactness) return csv.exactness > json.exactness;
  // Both are named, so the first one is taken. If a wildcard matches both, neither is asked for.
  return csv.place < json.place;
}

function readRange(text: string, place: number): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: weight === undefined ? 1 : readQuality(weight), place };
}

/** Reads a weight from 0 to 1. A malformed one counts as if it were not there. */
function readQuality(weight: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}

/** Finds the most specific range that matches. It decides, even if a wildcard has a higher weight. */
function findMatch(ranges: readonly MediaRange[], type: string): Match {
  const names = ['*/*', `${type.split('/')[0]}/*`, type];
  let best: Match = { quality: 0, exactness: -1, place: 0 };
  for (const { type: name, quality, place } of ranges) {
    const exactness = names.indexOf(name);
    if (exactness > best.exactness) best = { quality, exactness, place };
  }
  return best;
}
