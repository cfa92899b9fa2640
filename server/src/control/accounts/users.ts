import type { Language } from '@trackside/contract/app/languages.ts';
import type { Kysely } from 'kysely';
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
import { countUsers, getUser, type Role, selectUsers, toUsers, type User } from './user-row.ts';

/** Wherever there are users, one of them is an admin. */
export type Users = {
  count(): Promise<number>;
  /** Whether there is a user. Once there is one, there always is. */
  isSetUp(): Promise<boolean>;
  /** Hashes a password, or refuses one that is too weak for this address. Slow, so apart from the changes. */
  hash(input: NewUser): Promise<HashedPassword>;
  /** Websites count for a viewer only. The first user must be an admin. */
  add(input: NewUser<Password> & { role: Role; websites?: readonly number[] | undefined }): Promise<User>;
  /**
   * Adds the admin that the setup link is for. If several people use it at the same time, one of them
   * succeeds.
   */
  addFirst(input: NewUser<Password> & { token: string }): Promise<User>;
  list(): Promise<User[]>;
  find(idOrEmail: string): Promise<User | undefined>;
  get(id: number): Promise<User | undefined>;
  /** Takes as long for a user that does not exist as for a wrong password. */
  verify(email: string, password: string): Promise<VerifiedUser | undefined>;
  /** Whether the user still has the password that was verified before. */
  hasPassword({ user, passwordHash }: VerifiedUser): Promise<boolean>;
  /** Ends the user's sessions, except for the one with this token. */
  setPassword(id: number, password: Password, exceptToken?: string): Promise<User>;
  update(
    id: number,
    change: { role?: Role | undefined; websites?: readonly number[] | undefined },
  ): Promise<User>;
  /** Changes only what the user sees, so it needs no entry in the audit log. */
  setLanguage(id: number, language: Language | null): Promise<User>;
  /** Its sessions and grants go with it. */
  remove(id: number): Promise<User>;
  grantedTo(userId: number): Promise<Set<number>>;
  /** Replaces the token that was made before. */
  makeSetupToken(): Promise<string>;
  /** Whether a first user can be made with it now. */
  hasSetupToken(token: string): Promise<boolean>;
};

/** The same inside a transaction, which takes only hashed passwords. */
export type UserChanges = Omit<Users, 'add' | 'addFirst' | 'setPassword'> & {
  add(
    input: NewUser<HashedPassword> & { role: Role; websites?: readonly number[] | undefined },
  ): Promise<User>;
  addFirst(input: NewUser<HashedPassword> & { token: string }): Promise<User>;
  setPassword(id: number, password: HashedPassword, exceptToken?: string): Promise<User>;
};

/** A user who has given the right password. By the time that is of use, there may be another one. */
export type VerifiedUser = { user: User; passwordHash: string };
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

  async function findWith(id: number, passwordHash: string): Promise<User | undefined> {
    const rows = selectUsers(db).where('users.id', '=', id).where('password_hash', '=', passwordHash);
    return toUsers(await rows.execute())[0];
  }

  /** The last admin can't be removed, so a yes stays true, and strangers who ask cost nothing. */
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
            'First user: expected an admin, got a viewer. Add an admin first.',
            'role',
          );
        }
        const id = await insert(trx, { ...prepared, role });
        if (role === 'viewer') await replaceGrants(trx, id, websites);
        return await getUser(trx, id);
      });
    },

    async addFirst({ token, ...input }) {
      // Checked here as well, so that nobody without the link can make the server hash passwords.
      if (typeof input.password === 'string' && !(await canSetUp(token))) throw setupLinkRefused();
      const prepared = await prepare(input);
      return await inTransaction(db, async (trx) => {
        if (!(await hasSetupToken(trx, token))) throw setupLinkRefused();
        return await getUser(trx, await insert(trx, { ...prepared, role: 'admin' }));
      });
    },

    list: async () => toUsers(await selectUsers(db).execute()),

    async find(idOrEmail) {
      const rows = selectUsers(db);
      const found = /^\d{1,15}$/.test(idOrEmail)
        ? rows.where('users.id', '=', Number(idOrEmail))
        : rows.where('email', '=', normalizeEmail(idOrEmail));
      return toUsers(await found.execute())[0];
    },

    get: async (id) => toUsers(await selectUsers(db).where('users.id', '=', id).execute())[0],

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
      const { id, password_hash: passwordHash } = row;
      // The hash must still be the same: the password may have been changed while it was verified.
      const user = await findWith(id, passwordHash);
      return user && { user, passwordHash };
    },

    hasPassword: async ({ user, passwordHash }) => (await findWith(user.id, passwordHash)) !== undefined,

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

    async setLanguage(id, language) {
      await db.updateTable('users').set({ language }).where('id', '=', id).execute();
      return await getUser(db, id);
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
    `Email: expected an address that no user has yet, got ${email}, which is already taken.`,
    'email',
  );
}

/** Ids are never used twice, like those of websites: what was meant for one user must not reach another. */
async function countUser(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    // The setup link is for the first user only.
    .set((eb) => ({ last_user_id: eb('last_user_id', '+', 1), setup_token_hash: null }))
    .returning('last_user_id')
    .executeTakeFirstOrThrow();
  return row.last_user_id;
}

/** Refuses to remove the last admin. No other transaction writes in the meantime. */
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
    "The last admin can't be removed, because only admins can add users. Add another admin first.",
  );
}
