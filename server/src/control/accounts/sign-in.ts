import { limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import { tooManyAtOnce } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import type { KnownDevice, KnownDevices } from './known-devices.ts';
import { normalizeEmail } from './parse-email.ts';
import type { SignInAttempt, SignInThrottle } from './sign-in-throttle.ts';
import type { User } from './user-row.ts';
import type { Users, VerifiedUser } from './users.ts';

export type SignInRefusal = { refused: 'wrong' } | { refused: 'wait'; waitSeconds: number };
export type SignInOutcome = VerifiedUser | SignInRefusal;

type From = {
  /** Undefined if it can't be known. */
  address: string | undefined;
  /** What the browser keeps from an earlier sign-in. Undefined for a stranger. */
  deviceProof: string | undefined;
};

/**
 * Turns an email address and a password into a user. A client that has to wait is refused from memory. Of the
 * others, only a few are let in at a time, and strangers never come before known devices. Only then is the
 * database queried.
 */
export type SignIn = {
  /** The wait that can be known before the request's body is read. */
  knownWait(from: From): { waitSeconds: number };
  attempt(given: From & { email: string; password: string }): Promise<SignInOutcome>;
  /** Asks a user who is signed in for the password again. */
  confirm(given: { user: User; sessionToken: string; password: string }): Promise<SignInOutcome>;
  /**
   * Creates the proof that a browser keeps after signing in. With its earlier proof, it stays the same
   * device.
   */
  proveDevice(user: User, earlierProof?: string | undefined): Promise<string>;
};

/** Two, so that one can read the database while the other's password is being hashed. */
const lineLimits = { places: 2, maxWaiting: 14, whenFull: tooManyAtOnce };

export function createSignIn(parts: {
  database: Database;
  users: Pick<Users, 'verify'>;
  throttle: SignInThrottle;
  devices: KnownDevices;
}): SignIn {
  const { users, throttle, devices } = parts;
  const { db } = parts.database;
  const strangers = limitConcurrency(lineLimits);
  const known = limitConcurrency(lineLimits);
  /** Devices with an attempt in progress. A stolen device must not fill the line of all others. */
  const underWay = new Set<string>();

  async function passwordHash(email: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', normalizeEmail(email))
      .executeTakeFirst();
    return row?.password_hash;
  }

  async function isStillKnown(device: KnownDevice, email: string): Promise<boolean> {
    const hash = await passwordHash(email);
    return hash !== undefined && devices.isCurrent(device, hash);
  }

  async function asKnown(name: string, work: () => Promise<SignInOutcome>): Promise<SignInOutcome> {
    const { waitSeconds } = throttle.knownWait({ device: name });
    if (waitSeconds > 0) return { refused: 'wait', waitSeconds };
    if (underWay.has(name)) return { refused: 'wait', waitSeconds: 1 };
    underWay.add(name);
    try {
      return await known(work);
    } finally {
      underWay.delete(name);
    }
  }

  async function asStranger(from: Pick<From, 'address'> & { email: string; password: string }) {
    const { email, address } = from;
    const { waitSeconds } = throttle.knownWait({ email, address });
    if (waitSeconds > 0) return { refused: 'wait' as const, waitSeconds };
    return await strangers(() => verify({ email, address }, email, from.password));
  }

  async function verify(attempt: SignInAttempt, email: string, password: string): Promise<SignInOutcome> {
    const { waitSeconds } = await throttle.begin(attempt);
    if (waitSeconds > 0) return { refused: 'wait', waitSeconds };
    const verified = await users.verify(email, password);
    if (verified === undefined) return { refused: 'wrong' };
    await throttle.succeeded(attempt);
    return verified;
  }

  return {
    knownWait({ address, deviceProof }) {
      const device = devices.read(deviceProof);
      if (device !== undefined) return throttle.knownWait({ device: nameOf(device) });
      const { waitSeconds } = throttle.knownWait({ address });
      return { waitSeconds: waitSeconds === 0 && strangers.isFull() ? 1 : waitSeconds };
    },

    async attempt({ email, password, address, deviceProof }) {
      const device = devices.read(deviceProof);
      if (device === undefined || !devices.isFor(device, email))
        return await asStranger({ email, password, address });
      const name = nameOf(device);
      return await asKnown(name, async () => {
        if (!(await isStillKnown(device, email))) return await asStranger({ email, password, address });
        return await verify({ device: name }, email, password);
      });
    },

    async confirm({ user, sessionToken, password }) {
      const name = `session ${sessionToken}`;
      return await asKnown(name, () => verify({ device: name }, user.email, password));
    },

    async proveDevice({ email }, earlierProof) {
      const hash = await passwordHash(email);
      if (hash === undefined) throw new Error('expected the user who has just signed in, who is gone');
      const earlier = devices.read(earlierProof);
      const id = earlier !== undefined && devices.isFor(earlier, email) ? earlier.id : undefined;
      return devices.prove({ id, email, passwordHash: hash });
    },
  };
}

const nameOf = ({ id, account }: KnownDevice) => `${id} ${account}`;
