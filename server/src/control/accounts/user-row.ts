import type { Language } from '@trackside/contract/app/languages.ts';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { userNotFound } from './user-not-found.ts';

/** An admin may do everything. A viewer may see the websites that are granted. */
export type Role = 'admin' | 'viewer';

export type User = {
  id: number;
  email: string;
  role: Role;
  createdAt: number;
  lastSignInAt: number | null;
  /** The language of the pages. Null means that of the browser. */
  language: Language | null;
  /** Ids of the websites granted; none for an admin, who sees all. */
  websites: number[];
};

/** One statement for a user and its grants, so that both are of the same moment. */
export function selectUsers(db: Kysely<Tables>) {
  return db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['id', 'email', 'role', 'created_at', 'last_sign_in_at', 'language', 'website_id'])
    .orderBy('id')
    .orderBy('website_id');
}

export async function getUser(db: Kysely<Tables>, id: number): Promise<User> {
  const [user] = toUsers(await selectUsers(db).where('users.id', '=', id).execute());
  if (user === undefined) throw userNotFound(id);
  return user;
}

type UserRow = Omit<Selectable<Tables['users']>, 'password_hash'> & { website_id: number | null };

/** Takes the rows of `selectUsers`: one for each grant, or one for a user without any. */
export function toUsers(rows: UserRow[]): User[] {
  const users = new Map<number, User>();
  for (const { id, email, role, created_at, last_sign_in_at, language, website_id } of rows) {
    const user = users.get(id) ?? {
      id,
      email,
      role,
      createdAt: created_at,
      lastSignInAt: last_sign_in_at,
      language,
      websites: [],
    };
    if (website_id !== null) user.websites.push(website_id);
    users.set(id, user);
  }
  return [...users.values()];
}

export async function countUsers(db: Kysely<Tables>): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
