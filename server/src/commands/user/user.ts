import { passwordLength } from '@trackside/contract/app/limits.ts';
import { addUser as add } from '../../actions/add-user.ts';
import { changeUser } from '../../actions/change-user.ts';
import { removeUser as remove } from '../../actions/remove-user.ts';
import { parseEmail } from '../../control/accounts/parse-email.ts';
import type { Role, User } from '../../control/accounts/user-row.ts';
import { emailTaken } from '../../control/accounts/users.ts';
import type { Control } from '../../control/open-control.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { readPassword } from '../terminal/read-password.ts';
import { findWebsite } from '../website/find-website.ts';
import { findUser } from './find-user.ts';

type Options<Args> = { control: Control; args: Args };
type AskPassword = { askPassword: () => Promise<string> };

export async function addUser(
  options: Options<{ email: string; role?: string | undefined; websites: string[] }> & AskPassword,
): Promise<CommandOutput> {
  const { control, args, askPassword } = options;
  const role = readRole(args.role ?? 'admin');
  if (role === 'admin' && args.websites.length > 0) {
    throw new CommandError('--website: admins can see every website. Leave it out, or add --role viewer.');
  }
  const websites: { id: number; domain: string }[] = [];
  for (const website of args.websites) websites.push(await findWebsite(control, website));
  const email = parseEmail(args.email);
  // Checked before the password, so that nobody types a password twice for nothing.
  if ((await control.users.find(email)) !== undefined) throw emailTaken(email);
  const password = await askPassword();
  const wanted = { email, password, role, websites: websites.map(({ id }) => id) };
  const user = await add(control, 'command line', wanted);
  const domains = websites.map(({ domain }) => domain);
  const sees =
    domains.length === 0
      ? 'They cannot see any websites yet; an admin can give them access.'
      : `They can see ${domains.join(', ')}.`;
  const rights = role === 'admin' ? 'They have full access.' : sees;
  const article = role === 'admin' ? 'an' : 'a';
  return { json: toJson(user), text: `Added ${user.email} as ${article} ${role}. ${rights}` };
}

export async function setPassword(options: Options<{ user: string }> & AskPassword): Promise<CommandOutput> {
  const { control, args, askPassword } = options;
  const { id } = await findUser(control, args.user);
  const user = await changeUser(control, 'command line', { id, password: await askPassword() });
  const ended = 'They have been signed out everywhere.';
  return { json: toJson(user), text: `Changed the password of ${user.email}. ${ended}` };
}

export async function listUsers({ control }: { control: Control }): Promise<CommandOutput> {
  const users = await control.users.list();
  const json = { users: users.map(toJson) };
  if (users.length === 0) {
    return { json, text: 'There are no users yet. Add one with: trackside user add EMAIL' };
  }
  const domains = new Map((await control.websites.list()).map(({ id, domain }) => [id, domain]));
  const rows = users.map((user) => [
    String(user.id),
    user.email,
    user.role,
    user.role === 'admin' ? 'all' : user.websites.map((id) => domains.get(id) ?? `website ${id}`).join(', '),
    toIso(user.createdAt).slice(0, 10),
    user.lastSignInAt === null ? 'never' : toIso(user.lastSignInAt).slice(0, 16).replace('T', ' '),
  ]);
  const header = ['id', 'email', 'role', 'websites', 'created', 'last sign-in (UTC)'];
  return { json, text: alignColumns([header, ...rows]) };
}

export async function removeUser({ control, args }: Options<{ user: string }>): Promise<CommandOutput> {
  const { id } = await findUser(control, args.user);
  const user = await remove(control, 'command line', id);
  return { json: toJson(user), text: `Removed ${user.email}, and signed them out everywhere.` };
}

const passwordFlag = {
  'password-stdin': { type: 'boolean', help: 'read the password from stdin, as a single line' },
} as const;
const passwordHelp =
  `The password must have ${passwordLength.min} to ${passwordLength.max} characters. ` +
  'You are asked for it in the terminal; there is no flag for it.';

/** Each command by the words after `trackside`. */
export const userCommands: Record<string, Command> = {
  'user add': {
    usage: 'user add EMAIL [--role viewer --website WEBSITE …]',
    help:
      'Adds a user who can sign in. ' +
      'Admins can do everything; viewers see only the websites you give them access to.\n' +
      `WEBSITE is an id or a domain. ${passwordHelp}`,
    words: { min: 1, max: 1 },
    flags: {
      role: { type: 'string', help: 'admin or viewer (default: admin)' },
      website: {
        type: 'string',
        multiple: true,
        help: 'a website that the viewer can see; can be repeated',
      },
      ...passwordFlag,
    },
    isForAnyFolder: true,
    run: (input) => {
      const { role } = input.flags;
      const args = {
        email: input.words[0]!,
        role: typeof role === 'string' ? role : undefined,
        websites: input.lists.website ?? [],
      };
      return withControl(input, (control) => addUser({ control, args, askPassword: asking(input) }));
    },
  },
  'user set-password': {
    usage: 'user set-password EMAIL',
    help: `Changes a user's password and signs them out everywhere. ${passwordHelp}`,
    words: { min: 1, max: 1 },
    flags: passwordFlag,
    run: (input) => {
      const args = { user: input.words[0]! };
      return withControl(input, (control) => setPassword({ control, args, askPassword: asking(input) }));
    },
  },
  'user list': {
    usage: 'user list',
    help: 'Lists all users, what they can see, and when they last signed in.',
    words: { min: 0, max: 0 },
    flags: {},
    run: (input) => withControl(input, (control) => listUsers({ control })),
  },
  'user remove': {
    usage: 'user remove EMAIL',
    help: "Removes a user and signs them out everywhere. The last admin can't be removed.",
    words: { min: 1, max: 1 },
    flags: {},
    run: (input) => withControl(input, (control) => removeUser({ control, args: { user: input.words[0]! } })),
  },
};

function asking({ flags }: CommandInput): () => Promise<string> {
  const { stdin: input, stderr: output } = process;
  return () => readPassword({ input, output, isFromStdin: flags['password-stdin'] === true });
}

function readRole(text: string): Role {
  if (text === 'admin' || text === 'viewer') return text;
  throw new CommandError(`--role: expected admin or viewer, got "${text}".`);
}

function toJson({ createdAt, lastSignInAt, language: _, ...user }: User) {
  return {
    ...user,
    createdAt: toIso(createdAt),
    lastSignInAt: lastSignInAt === null ? null : toIso(lastSignInAt),
  };
}

const toIso = (timeMs: number) => new Date(timeMs).toISOString();
