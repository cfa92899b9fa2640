import { decodePercent } from './decode-percent.ts';
import { isSecretName } from './is-secret-name.ts';

const maxDecodings = 4;
const maxNestedNames = 64;
const minOpaqueChars = 32;
// No sign, no escape, and no base64 that could hold more than a word.
const harmless = /^(?:[a-z\d_-]*|[\w-]{0,15})$/;
// Wide on purpose, but `react@18.2.0` and `/@name` are no addresses.
const email = /[^\s@/]@[^\s@/]*\.[^\s@/\d]/;
const ipv4 = /(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)/;
// Starts only where a run starts: tried at every letter, long runs would cost their length squared.
const runBeforeDot = /(?<![\w-])[\w-]+(?=\.[\w-]{5})/g;
const base64 = /^(?=.*[A-Z])[\w+/-]{16,}={0,2}$/;
const opaqueRun = /[A-Za-z\d]{32,}/;

/**
 * Whether a percent-encoded text holds an e-mail address, an IP address, a JSON Web Token or a secret that is
 * named inside it, as in a redirect address. Several layers of encoding are looked through.
 */
export function looksPrivate(encoded: string): boolean {
  if (harmless.test(encoded)) return false;
  const layers = decode(encoded);
  return layers === undefined || layers.some(isPrivate);
}

function isPrivate(text: string): boolean {
  return hasEmail(text) || hasIpAddress(text) || hasJwt(text) || namesSecret(text) || hidesEmail(text);
}

/** Whether a text holds what only a machine makes: 32 or more letters and digits in one run. */
export function looksOpaque(text: string): boolean {
  if (text.length < minOpaqueChars) return false;
  const run = opaqueRun.exec(text)?.[0];
  return run !== undefined && /\d/.test(run) && /[A-Za-z]/.test(run);
}

/**
 * The text as it is and with each layer of encoding taken off; undefined for more layers than anybody needs.
 */
function decode(encoded: string): string[] | undefined {
  const layers = [encoded];
  let text = encoded;
  for (let round = 0; round < maxDecodings && text.includes('%'); round += 1) {
    // `%u0040` is how the old `escape()` wrote it. Normalised, ＠ is read as @.
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
  // Looser than the grammar, so that `ip:` or a port beside it hides nothing; MAC addresses go too.
  for (const [run] of text.matchAll(/[\da-f:.]{4,}/gi)) {
    if (/(?::[^:]*){5}/.test(run) || (run.includes('::') && /\d/.test(run))) return true;
  }
  return false;
}

function hasJwt(text: string): boolean {
  return text.includes('eyJ') && (text.match(runBeforeDot) ?? []).some((run) => run.includes('eyJ'));
}

/** Also true for more names than any address needs. */
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
