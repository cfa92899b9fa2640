import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/**
 * Encrypts what control must be able to show again. `context` names the place, and a value that is moved
 * elsewhere can't be decrypted.
 */
export type SecretBox = {
  seal(plain: Uint8Array, context: string): Buffer;
  open(sealed: Uint8Array, context: string): Buffer;
  /** Always the same for the same text. Without the key, it can't be found by trying all texts. */
  pseudonym(text: string, context: string): string;
};

const algorithm = 'aes-256-gcm';
const formatVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes + tagBytes;

export function createSecretBox(key: Uint8Array): SecretBox {
  return {
    pseudonym: (text, context) => createHmac('sha256', key).update(`${context}\n${text}`).digest('hex'),
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed.length < headerBytes || sealed[0] !== formatVersion) {
        throw new Error(`${context}: expected a sealed value of format ${formatVersion}, got something else`);
      }
      const nonce = sealed.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headerBytes));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]);
      } catch {
        throw new Error(`${context}: cannot be decrypted with this secret key, or has been changed`);
      }
    },
  };
}
