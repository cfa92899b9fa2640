const base = 36;
const [thresholdMin, thresholdMax] = [1, 26];
const [skew, damp] = [38, 700];
const firstCode = 128;
const lastCode = 0x10_ffff;

/**
 * Decodes a label of a host in punycode (RFC 3492), without its `xn--`. Browsers can encode hosts but not
 * decode them. Undefined for a label that is not punycode.
 */
export function decodePunycode(encoded: string): string | undefined {
  const hyphen = encoded.lastIndexOf('-');
  const letters = [...encoded.slice(0, Math.max(0, hyphen))].map((letter) => letter.charCodeAt(0));
  let code = firstCode;
  let place = 0;
  let bias = 72;
  for (let at = hyphen + 1; at < encoded.length; ) {
    const start = place;
    let weight = 1;
    for (let round = base; ; round += base) {
      const digit = digitOf(encoded[at++]);
      if (digit === undefined) return undefined;
      place += digit * weight;
      const threshold = Math.min(thresholdMax, Math.max(thresholdMin, round - bias));
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const count = letters.length + 1;
    bias = adapt(place - start, count, start === 0);
    code += Math.floor(place / count);
    if (code > lastCode) return undefined;
    place %= count;
    letters.splice(place++, 0, code);
  }
  return String.fromCodePoint(...letters);
}

function digitOf(letter: string | undefined): number | undefined {
  return letter !== undefined && /^[a-z\d]$/i.test(letter)
    ? (Number.parseInt(letter, 36) + 26) % 36
    : undefined;
}

function adapt(distance: number, count: number, isFirst: boolean): number {
  let left = Math.floor(distance / (isFirst ? damp : 2));
  left += Math.floor(left / count);
  let bias = 0;
  while (left > ((base - thresholdMin) * thresholdMax) / 2) {
    left = Math.floor(left / (base - thresholdMin));
    bias += base;
  }
  return bias + Math.floor(((base - thresholdMin + 1) * left) / (left + skew));
}
