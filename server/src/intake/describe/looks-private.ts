import { decodePercent } from './decode-percent.ts';
import { isSecretName } from './is-secret-name.ts';

const maxDecodings = 4;
const maxNestedNames = 64;
const minOpaqueChars = 32;
// Text with no special character, no escape, and no base64 that could hold more than a word.
const harmless = /^(?:[a-z\d_-]*|[\w-]{0,15})$/;
// Broad on purpose, except that `react@18.2.0` and `/@name` are not email addresses.
const email = /[^\s@/]@[^\s@/]*\.[^\s@/\d]/;
const ipv4 = /(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/;
// Matches only at the start of a run. Trying every letter would take quadratic time on long runs.
const runBeforeDot = /(?<![\w-])[\w-]+(?=\.[\w-]{5})/g;
const base64 = /^(?=.*[A-Z])[\w+/-]{16,}={0,2}$/;
const opaqueRun = /[A-Za-z\d]{32,}/;

/**
 * Returns whether a percent-encoded text holds an email address, an IP address, a JSON Web Token, or a secret
 * that is named inside it, as in a redirect URL. Checks several layers of encoding.
 */
export function looksPrivate(encoded: string): boolean {
  if (harmless.test(encoded)) return false;
  const layers = decode(encoded);
  return layers === undefined || layers.some(isPrivate);
}

function isPrivate(text: string): boolean {
  return hasEmail(text) || hasIpAddress(text) || hasJwt(text) || namesSecret(text) || hidesEmail(text);
}

/**
 * Returns whether a text holds something that only a machine writes: 32 or more letters and digits in one
 * run.
 */
export function looksOpaque(text: string): boolean {
  if (text.length < minOpaqueChars) return false;
  const run = opaqueRun.exec(text)?.[0];
  return run !== undefined && /\d/.test(run) && /[A-Za-z]/.test(run);
}

/**
 * Returns the text as it is and with each layer of encoding removed. Returns undefined for more layers than
 * anyone needs.
 */
function decode(encoded: string): string[] | undefined {
  const layers = [encoded];
  let text = encoded;
  for (let round = 0; round < maxDecodings && text.includes('%'); round += 1) {
    // The old `escape()` wrote `%u0040`. Normalization turns ＠ into @.
    const decoded = decodePercent(text.replace(/%u00([\da-f]{2})/gi, '%$1')).normalize('NFKC');
    if (decoded === text) return layers;
    layers.push(decoded);
    text = decoded;
  }
  return /%(?:u00)?[\da-f]{2}/i.test(text) ? undefined : layers;
}

function hasEmail(text: string): boolean {
  return text.includes('@') && email.test(text);
}

function hasIpAddress(text: string): boolean {
  if (text.includes('.') && ipv4.test(text)) return true;
  if (!text.includes(':')) return false;
  // Looser than the grammar, so that `ip:` or a port next to the address hides nothing. MAC addresses match
  // too.
  for (const [run] of text.matchAll(/[\da-f:.]{4,}/gi)) {
    if (/(?::[^:]*){5}/.test(run) || (run.includes('::') && /\d/.test(run))) return true;
  }
  return false;
}

function hasJwt(text: string): boolean {
  return text.includes('eyJ') && (text.match(runBeforeDot) ?? []).some((run) => run.includes('eyJ'));
}

/**
 * Returns whether a text assigns a value to a secret name. Also returns true for more names than any URL
 * needs.
 */
function namesSecret(text: string): boolean {
  const maxNameChars = 64;
  let names = 0;
  for (let at = text.indexOf('='); at !== -1; at = text.indexOf('=', at + 1)) {
    names += 1;
    if (names > maxNestedNames) return true;
    const name = /[\w.-]+$/.exec(text.slice(Math.max(0, at - maxNameChars), at))?.[0];
    if (name !== undefined && at + 1 < text.length && isSecretName(name)) return true;
  }
  return false;
}

// Newsletter tools put the recipient's address into links this way.
function hidesEmail(text: string): boolean {
  return base64.test(text) && /[\w.+-]@[\w-]+\.[a-z]/i.test(Buffer.from(text, 'base64').toString('latin1'));
}
