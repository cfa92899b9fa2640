import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { hashApiKey } from '../websites/hash-api-key.ts';
import { checkPassword } from './check-password.ts';
import { grantedTo, replaceGrants } from './grants.ts';
import { hashPassword, type PasswordCost, verifyNothing, verifyPassword } from './hash-password.ts';
import { normalizeEmail, parseEmail } from './parse-email.ts';
import { endSessions } from './sessions.ts';
import { hasSetupToken, makeSetupToken, setupLinkRefused } from './setup-token.ts';
import { userNotFound } from './user-not-found.ts';

/** An admin may do everything, a viewer may see the websites that are granted. */
export type Role = 'admin' | 'viewer';

export type User = {
  id: number;
  email: string;
  role: Role;
  createdAt: number;
  lastSignInAt: number | null;
  /** Ids of the websites granted; none for an admin, who sees all. */
  websites: number[];
};

/** Wherever there are users, one of them is an admin. */
export type Users = {
  count(): Promise<number>;
  /** Whether there is a user; from then on there always is. */
  isSetUp(): Promise<boolean>;
  /** Refuses a password that is too weak for this address. Apart from the changes, because it is slow. */
  hash(input: NewUser): Promise<HashedPassword>;
  /** Websites count for a viewer only. The first user must be an admin. */
  add(input: NewUser<Password> & { role: Role; websites?: readonly number[] | undefined }): Promise<User>;
  /** The admin that the setup link makes; of several who follow it at once, one. */
  addFirst(input: NewUser<Password> & { token: string }): Promise<User>;
  list(): Promise<User[]>;
  find(idOrEmail: string): Promise<User | undefined>;
  get(id: number): Promise<User | undefined>;
  /** Takes as long for a user that does not exist as for a wrong password. */
  verify(email: string, password: string): Promise<User | undefined>;
  /** Ends the user's sessions, except for the one with this token. */
  setPassword(id: number, password: Password, exceptToken?: string): Promise<User>;
  update(
    id: number,
    change: { role?: Role | undefined; websites?: readonly number[] | undefined },
  ): Promise<User>;
  /** Its sessions and grants go with it. */
  remove(id: number): Promise<User>;
  grantedTo(userId: number): Promise<Set<number>>;
  /** Ends the token that was made before. */
  makeSetupToken(): Promise<string>;
  /** Whether a first user can be made with it now. */
  hasSetupToken(token: string): Promise<boolean>;
};

/** The same in a transaction, where passwords come hashed. */
export type UserChanges = Omit<Users, 'add' | 'addFirst' | 'setPassword'> & {
  add(
    input: NewUser<HashedPassword> & { role: Role; websites?: readonly number[] | undefined },
  ): Promise<User>;
  addFirst(input: NewUser<HashedPassword> & { token: string }): Promise<User>;
  setPassword(id: number, password: HashedPassword, exceptToken?: string): Promise<User>;
};

export type HashedPassword = { hash: string };
type Password = string | HashedPassword;
type NewUser<P = string> = { email: string; password: P };

export function createUsers(options: {
  database: Database;
  clock: Clock;
  passwordCost?: PasswordCost | undefined;
}): Users {
  const { clock, passwordCost } = options;
  const { db, lookUp } = options.database;
  let hasUsers = false;

  /**
   * The last admin cannot be removed, so what was seen once stays true, and strangers who ask cost nothing.
   */
  async function isSetUp(): Promise<boolean> {
    hasUsers ||= (await lookUp('users', async () => (await countUsers(db)) > 0 || undefined)) === true;
    return hasUsers;
  }

  async function canSetUp(token: string): Promise<boolean> {
    if (await isSetUp()) return false;
    const found = await lookUp(hashApiKey(token), async () => (await hasSetupToken(db, token)) || undefined);
    return found === true;
  }

  /** Outside any transaction, because it is slow. */
  async function hash({ email, password }: NewUser<Password>): Promise<HashedPassword> {
    if (typeof password !== 'string') return password;
    checkPassword(password, email);
    return { hash: await hashPassword(password, passwordCost) };
  }

  async function prepare({
    password,
    ...input
  }: NewUser<Password>): Promise<{ email: string; hash: string }> {
    const email = parseEmail(input.email);
    return { email, ...(await hash({ email, password })) };
  }

  async function insert(
    trx: Kysely<Tables>,
    user: { email: string; hash: string; role: Role },
  ): Promise<number> {
    const row = await trx
      .insertInto('users')
      .values({
        id: await countUser(trx),
        email: user.email,
        password_hash: user.hash,
        role: user.role,
        created_at: clock.now(),
        last_sign_in_at: null,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) throw emailTaken(user.email);
    return row.id;
  }

  return {
    count: () => countUsers(db),
    isSetUp,
    hash: async ({ email, password }) => await hash({ email: parseEmail(email), password }),

    async add({ role, websites = [], ...input }) {
      const prepared = await prepare(input);
      return await inTransaction(db, async (trx) => {
        if (role !== 'admin' && (await countUsers(trx)) === 0) {
          throw new ControlError(
            'not-allowed',
            'The first user: expected an admin, got a viewer. Add an admin before.',
            'role',
          );
        }
        const id = await insert(trx, { ...prepared, role });
        if (role === 'viewer') await replaceGrants(trx, id, websites);
        return await getUser(trx, id);
      });
    },

    async addFirst({ token, ...input }) {
      // Asked before as well: nobody without the link makes the server hash passwords.
      if (typeof input.password === 'string' && !(await canSetUp(token))) throw setupLinkRefused();
      const prepared = await prepare(input);
      return await inTransaction(db, async (trx) => {
        if (!(await hasSetupToken(trx, token))) throw setupLinkRefused();
        return await getUser(trx, await insert(trx, { ...prepared, role: 'admin' }));
      });
    },

    list: async () => toUsers(await rowsOf(db).execute()),

    async find(idOrEmail) {
      const rows = rowsOf(db);
      const found = /^\d{1,15}$/.test(idOrEmail)
        ? rows.where('users.id', '=', Number(idOrEmail))
        : rows.where('email', '=', normalizeEmail(idOrEmail));
      return toUsers(await found.execute())[0];
    },

    get: async (id) => toUsers(await rowsOf(db).where('users.id', '=', id).execute())[0],

    async verify(email, password) {
      const row = await db
        .selectFrom('users')
        .select(['id', 'password_hash'])
        .where('email', '=', normalizeEmail(email))
        .executeTakeFirst();
      if (row === undefined) {
        await verifyNothing(password, passwordCost);
        return undefined;
      }
      if (!(await verifyPassword(password, row.password_hash))) return undefined;
      // With the hash: the password may have been changed while it was being verified.
      const rows = rowsOf(db).where('users.id', '=', row.id).where('password_hash', '=', row.password_hash);
      return toUsers(await rows.execute())[0];
    },

    async setPassword(id, password, exceptToken) {
      const { email } = await getUser(db, id);
      const hashed = await hash({ email, password });
      return await inTransaction(db, async (trx) => {
        await trx.updateTable('users').set({ password_hash: hashed.hash }).where('id', '=', id).execute();
        await endSessions(trx, id, exceptToken);
        return await getUser(trx, id);
      });
    },

    async update(id, change) {
      return await inTransaction(db, async (trx) => {
        const { role: before } = await getUser(trx, id);
        const role = change.role ?? before;
        if (role === 'viewer' && before === 'admin') await keepAnAdmin(trx, id);
        await trx.updateTable('users').set({ role }).where('id', '=', id).execute();
        if (role === 'admin') await replaceGrants(trx, id, []);
        else if (change.websites !== undefined) await replaceGrants(trx, id, change.websites);
        return await getUser(trx, id);
      });
    },

    async remove(id) {
      return await inTransaction(db, async (trx) => {
        const user = await getUser(trx, id);
        if (user.role === 'admin') await keepAnAdmin(trx, id);
        await trx.deleteFrom('users').where('id', '=', id).execute();
        return user;
      });
    },

    grantedTo: (userId) => grantedTo(db, userId),
    makeSetupToken: () => makeSetupToken(db),
    hasSetupToken: canSetUp,
  };
}

export function emailTaken(email: string): ControlError {
  return new ControlError(
    'already-exists',
    `The e-mail address: expected one that no user has yet, got ${email}, which has been added before.`,
    'email',
  );
}

/** Counted like the ids of websites: what was meant for one user must not reach another. */
async function countUser(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    // The setup link is for the first user only.
    .set((eb) => ({ last_user_id: eb('last_user_id', '+', 1), setup_token_hash: null }))
    .returning('last_user_id')
    .executeTakeFirstOrThrow();
  return row.last_user_id;
}

async function countUsers(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  // PostgreSQL counts to a string.
  return Number(count);
}

/**
 * In the transaction that takes an admin away. It is alone with the table; on PostgreSQL it will have to lock
 * it.
 */
async function keepAnAdmin(trx: Kysely<Tables>, exceptId: number): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst();
  if (other !== undefined) return;
  throw new ControlError(
    'not-allowed',
    'The last admin: expected one to remain, because only admins can add users. Add another admin before.',
  );
}

function rowsOf(db: Kysely<Tables>) {
  // One statement, so that a user and its grants are of the same moment.
  return db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['id', 'email', 'role', 'created_at', 'last_sign_in_at', 'website_id'])
    .orderBy('id')
    .orderBy('website_id');
}

async function getUser(db: Kysely<Tables>, id: number): Promise<User> {
  const [user] = toUsers(await rowsOf(db).where('users.id', '=', id).execute());
  if (user === undefined) throw userNotFound(id);
  return user;
}

type UserRow = Omit<Selectable<Tables['users']>, 'password_hash'> & { website_id: number | null };

function toUsers(rows: UserRow[]): User[] {
  const users = new Map<number, User>();
  for (const { id, email, role, created_at, last_sign_in_at, website_id } of rows) {
    const user = users.get(id) ?? {
      id,
      email,
      role,
      createdAt: created_at,
      lastSignInAt: last_sign_in_at,
      websites: [],
    };
    if (website_id !== null) user.websites.push(website_id);
    users.set(id, user);
  }
  return [...users.values()];
}
