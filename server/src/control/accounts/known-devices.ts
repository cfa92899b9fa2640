import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../database/secret-box.ts';
import { normalizeEmail } from './parse-email.ts';

/** A browser that has signed in to an account before. */
export type KnownDevice = {
  id: string;
  /** Identifies the account and its password at that time. */
  account: string;
  password: string;
};

/**
 * The proof that such a browser keeps. It gives no access. It only gives its holder an allowance of guesses
 * that is separate from everyone else's. It names neither the person nor the device.
 */
export type KnownDevices = {
  prove(device: { id: string | undefined; email: string; passwordHash: string }): string;
  /** Undefined for a proof that we didn't create. */
  read(proof: string | undefined): KnownDevice | undefined;
  isFor(device: KnownDevice, email: string): boolean;
  /** False after the password was changed. */
  isCurrent(device: KnownDevice, passwordHash: string): boolean;
};

const idBytes = 16;
const tagLength = 16;
const shape = /^([\w-]{22})\.([0-9a-f]{16})\.([0-9a-f]{16})\.([0-9a-f]{64})$/;

export function createKnownDevices(box: Pick<SecretBox, 'pseudonym'>): KnownDevices {
  const tagOf = (text: string, what: string) => box.pseudonym(text, `device ${what}`).slice(0, tagLength);
  const accountOf = (email: string) => tagOf(normalizeEmail(email), 'account');
  const sign = (unsigned: string) => box.pseudonym(unsigned, 'device proof');

  return {
    prove({ id = randomBytes(idBytes).toString('base64url'), email, passwordHash }) {
      const unsigned = `${id}.${accountOf(email)}.${tagOf(passwordHash, 'password')}`;
      return `${unsigned}.${sign(unsigned)}`;
    },
    read(proof) {
      const [, id, account, password, signature] = shape.exec(proof ?? '') ?? [];
      if (id === undefined || account === undefined || password === undefined) return undefined;
      const expected = Buffer.from(sign(`${id}.${account}.${password}`));
      return timingSafeEqual(expected, Buffer.from(signature!)) ? { id, account, password } : undefined;
    },
    isFor: (device, email) => device.account === accountOf(email),
    isCurrent: (device, passwordHash) => device.password === tagOf(passwordHash, 'password'),
  };
}
