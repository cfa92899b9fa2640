import { createLine } from './create-line.ts';
import type { Database } from './database.ts';
import type { KnownDevice, KnownDevices } from './known-devices.ts';
import { normalizeEmail } from './parse-email.ts';
import type { SignInAttempt, SignInThrottle } from './sign-in-throttle.ts';
import type { User, Users } from './users.ts';

export type SignInOutcome = { user: User } | { refused: 'wrong' } | { refused: 'wait'; waitSeconds: number };

type From = {
  /** Undefined when it cannot be known. */
  address: string | undefined;
  /** What the browser keeps of an earlier sign-in; undefined for a stranger. */
  deviceProof: string | undefined;
};

/**
 * The way from an email address and a password to a user. Whoever must wait is told so from memory. Of the others only a few
 * are let in at a time, and strangers never stand in front of known devices. Only then is a database asked.
 */
export type SignIn = {
  /** What can be said before the request's body is read. */
  knownWait(from: From): { waitSeconds: number };
  attempt(given: From & { email: string; password: string }): Promise<SignInOutcome>;
  /** Asks somebody who is signed in for the password again. */
  confirm(given: { user: User; sessionToken: string; password: string }): Promise<SignInOutcome>;
  /** What a browser that has just signed in keeps; with its earlier proof, it stays the same device. */
  proveDevice(user: User, earlierProof?: string | undefined): Promise<string>;
};

/** Two, so that one reads the database while the other's password is hashed. */
const lineLimits = { places: 2, maxWaiting: 14 };

export function createSignIn(parts: {
  database: Database;
  users: Pick<Users, 'verify'>;
  throttle: SignInThrottle;
  devices: KnownDevices;
}): SignIn {
  const { users, throttle, devices } = parts;
  const { db } = parts.database;
  const strangers = createLine(lineLimits);
  const known = createLine(lineLimits);

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

  async function verify(attempt: SignInAttempt, email: string, password: string): Promise<SignInOutcome> {
    const { waitSeconds } = await throttle.begin(attempt);
    if (waitSeconds > 0) return { refused: 'wait', waitSeconds };
    const user = await users.verify(email, password);
    if (user === undefined) return { refused: 'wrong' };
    await throttle.succeeded(attempt);
    return { user };
  }

  return {
    knownWait({ address, deviceProof }) {
      const device = devices.read(deviceProof);
      return throttle.knownWait(device === undefined ? { address } : { device: nameOf(device) });
    },

    async attempt({ email, password, address, deviceProof }) {
      const asStranger = { email, address };
      const device = devices.read(deviceProof);
      if (device === undefined || !devices.isFor(device, email)) {
        const { waitSeconds } = throttle.knownWait(asStranger);
        if (waitSeconds > 0) return { refused: 'wait', waitSeconds };
        return await strangers(() => verify(asStranger, email, password));
      }
      const { waitSeconds } = throttle.knownWait({ device: nameOf(device) });
      if (waitSeconds > 0) return { refused: 'wait', waitSeconds };
      return await known(async () => {
        const attempt = (await isStillKnown(device, email)) ? { device: nameOf(device) } : asStranger;
        return await verify(attempt, email, password);
      });
    },

    confirm: ({ user, sessionToken, password }) =>
      known(() => verify({ device: `session ${sessionToken}` }, user.email, password)),

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
