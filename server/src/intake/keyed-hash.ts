import { hash } from 'node:crypto';

export type KeyedHash = (key: Buffer, text: string) => string;

/** SHA-256 over a fixed-length key and the text, cut to 64 bits: what is cut off is what extending a hash would need. */
export function createKeyedHash(): KeyedHash {
  const keyTexts = new WeakMap<Buffer, string>();
  return (key, text) => {
    let keyText = keyTexts.get(key);
    if (keyText === undefined) {
      keyText = key.toString('hex');
      keyTexts.set(key, keyText);
    }
    return BigInt(`0x${hash('sha256', keyText + text, 'hex').slice(0, 16)}`).toString();
  };
}
