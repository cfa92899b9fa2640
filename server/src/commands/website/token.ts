import { maxNameLength } from '@trackside/contract/app/limits.ts';
import { createToken } from '../../actions/create-token.ts';
import { revokeToken as revoke } from '../../actions/revoke-token.ts';
import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import { type ReadToken, readTokenPrefix } from '../../control/websites/read-tokens.ts';
import type { Command, CommandOutput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { findWebsite } from './find-website.ts';

type Options<Args> = { control: Control; args: Args };

const defaultName = 'unnamed';

export async function addToken(
  options: Options<{ website: string; name?: string | undefined }>,
): Promise<CommandOutput> {
  const { control, args } = options;
  const website = await findWebsite(control, args.website);
  const { domain } = website;
  const wanted = { website, name: args.name ?? defaultName };
  const { token, ...added } = await createToken(control, 'command line', wanted);
  const fields = [
    ['id', String(added.id)],
    ['website', domain],
    ['name', added.name],
    ['token', token],
  ];
  const advice =
    'Copy the token now: Trackside does not keep it and cannot show it again. ' +
    'Anyone who has it can read the\n' +
    `statistics of ${domain}, but cannot send records. Send it as "Authorization: Bearer <token>".\n` +
    `To revoke it: trackside token revoke ${added.id}`;
  return { json: { ...toJson(added, domain), token }, text: `${alignColumns(fields)}\n\n${advice}` };
}

export async function listTokens(options: Options<{ website?: string | undefined }>): Promise<CommandOutput> {
  const { control, args } = options;
  const only = args.website === undefined ? undefined : await findWebsite(control, args.website);
  const tokens = await control.readTokens.list(only?.id);
  const domains = new Map((await control.websites.list()).map(({ id, domain }) => [id, domain]));
  const domainOf = ({ websiteId }: ReadToken) => domains.get(websiteId) ?? `website ${websiteId}`;
  const json = { tokens: tokens.map((token) => toJson(token, domainOf(token))) };
  if (tokens.length === 0) {
    const whose = only === undefined ? '' : ` for ${only.domain}`;
    return {
      json,
      text: `There are no read tokens${whose} yet. Create one with: trackside token add WEBSITE`,
    };
  }
  const rows = tokens.map((token) => [
    String(token.id),
    domainOf(token),
    token.name,
    toIso(token.createdAt).slice(0, 10),
    token.lastUsedAt === null ? 'never' : toIso(token.lastUsedAt).slice(0, 16).replace('T', ' '),
  ]);
  return { json, text: alignColumns([['id', 'website', 'name', 'created', 'last used (UTC)'], ...rows]) };
}

export async function revokeToken({ control, args }: Options<{ id: string }>): Promise<CommandOutput> {
  if (!/^\d{1,15}$/.test(args.id)) {
    // A token given instead of its id is not repeated, because this text may end up in a log.
    const got = args.id.startsWith(readTokenPrefix) ? 'the token itself' : `"${args.id}"`;
    throw new ControlError(
      'invalid',
      `Expected the id of a read token, which is a number, got ${got}. ` +
        'To see all ids, run: trackside token list',
    );
  }
  const { token, domain } = await revoke(control, 'command line', Number(args.id));
  const { id, websiteId, name } = token;
  return {
    json: { id, websiteId, domain, name },
    text: `Revoked read token ${id} (${name}) of ${domain}. It no longer works.`,
  };
}

/** Each command by the words after `trackside`. */
export const tokenCommands: Record<string, Command> = {
  'token add': {
    usage: 'token add WEBSITE [--name NAME]',
    help:
      'Creates a token that can read the statistics and the ledger of one website, and prints it.\n' +
      'It cannot be shown again. WEBSITE is an id or a domain.\n' +
      'The name says what the token is for; ' +
      `it can have up to ${maxNameLength} characters.`,
    words: { min: 1, max: 1 },
    flags: { name: { type: 'string', help: `what the token is for (default: ${defaultName})` } },
    run: (input) => {
      const { name } = input.flags;
      const args = { website: input.words[0]!, name: typeof name === 'string' ? name : undefined };
      return withControl(input, (control) => addToken({ control, args }));
    },
  },
  'token list': {
    usage: 'token list [WEBSITE]',
    help:
      'Lists the read tokens of one website, or of all websites, and when each was last used. ' +
      'WEBSITE is an id or a\n' +
      'domain. The tokens themselves cannot be shown again.',
    words: { min: 0, max: 1 },
    flags: {},
    run: (input) =>
      withControl(input, (control) => listTokens({ control, args: { website: input.words[0] } })),
  },
  'token revoke': {
    usage: 'token revoke ID',
    help: 'Revokes a read token. It stops working immediately. Find its ID with `trackside token list`.',
    words: { min: 1, max: 1 },
    flags: {},
    run: (input) => withControl(input, (control) => revokeToken({ control, args: { id: input.words[0]! } })),
  },
};

function toJson({ createdAt, lastUsedAt, ...token }: ReadToken, domain: string) {
  return {
    ...token,
    domain,
    createdAt: toIso(createdAt),
    lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
  };
}

const toIso = (timeMs: number) => new Date(timeMs).toISOString();
