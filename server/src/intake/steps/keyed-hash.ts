import { hash } from 'node:crypto';

export type KeyedHash = (key: Buffer, text: string) => string;

/**
 * SHA-256 over a fixed-length key and the text, cut to 64 bits: what is cut off is what extending a hash
 * would need.
 */
export function createKeyedHash(): KeyedHash {
  const join = createJoin();
  return (key, text) => BigInt(`0x${hash('sha256', join(key, text), 'hex').slice(0, 16)}`).toString();
}

/** The same, cut to 128 bits, for what must not be taken for another among very many. */
export function createLongKeyedHash(): (key: Buffer, text: string) => Buffer {
  const join = createJoin();
  return (key, text) => hash('sha256', join(key, text), 'buffer').subarray(0, 16);
}

function createJoin(): (key: Buffer, text: string) => string {
  const keyTexts = new WeakMap<Buffer, string>();
  return (key, text) => {
    let keyText = keyTexts.get(key);
    if (keyText === undefined) {
      keyText = key.toString('hex');
      keyTexts.set(key, keyText);
    }
    return keyText + text;
  };
}
