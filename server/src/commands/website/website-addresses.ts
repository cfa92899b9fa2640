import { changeWebsite } from '../../actions/change-website.ts';
import type { Control } from '../../control/open-control.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { type Command, CommandError } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { findWebsite } from './find-website.ts';

type Flags = Record<string, string | boolean | undefined>;

const rules = {
  'trailing-slash': { name: 'ignoreTrailingSlash', about: '/about/ and /about' },
  case: { name: 'ignoreCase', about: '/About and /about' },
  www: { name: 'ignoreWww', about: 'www.example.com and example.com' },
} as const satisfies Record<string, { name: keyof AddressRules; about: string }>;

/** Each command by the words after `trackside`. */
export const websiteAddressesCommands: Record<string, Command> = {
  'website set-addresses': {
    usage:
      'website set-addresses ID|DOMAIN ' +
      '[--trailing-slash ignore|keep] [--case ignore|keep] [--www ignore|keep]',
    help:
      'Changes which addresses of a website count as one page. By default, differences are kept. ' +
      'This changes no record,\n' +
      'so you can take it back. A running server adds up past days again within minutes; ' +
      '`trackside rebuild` does it at once.',
    words: { min: 1, max: 1 },
    flags: Object.fromEntries(
      Object.entries(rules).map(([flag, { about }]) => [
        flag,
        { type: 'string' as const, help: `ignore or keep: whether ${about} are one` },
      ]),
    ),
    run: (input) =>
      withControl(input, (control) =>
        setAddresses({ control, args: { website: input.words[0]!, flags: input.flags } }),
      ),
  },
};

export async function setAddresses(options: { control: Control; args: { website: string; flags: Flags } }) {
  const { control, args } = options;
  const change = readFlags(args.flags);
  const { id } = await findWebsite(control, args.website);
  const { domain, ...website } = await changeWebsite(control, 'command line', { id, ...change });
  const lines = Object.values(rules).map(
    ({ name, about }) => `${about} are ${website[name] ? 'one' : 'different'}.`,
  );
  const chosen = Object.fromEntries(Object.values(rules).map(({ name }) => [name, website[name]]));
  return {
    json: { id, domain, ...chosen },
    text:
      `The addresses of ${domain}:\n${lines.join('\n')}\n` +
      'A running server adds up past days again within minutes. ' +
      `To do it at once: trackside rebuild ${domain}`,
  };
}

function readFlags(flags: Flags): Partial<AddressRules> {
  const given = Object.entries(rules).filter(([flag]) => flags[flag] !== undefined);
  if (given.length === 0)
    throw new CommandError(
      `Expected at least one of --${Object.keys(rules).join(', --')}, each with ignore or keep, got none.`,
    );
  return Object.fromEntries(
    given.map(([flag, { name }]) => {
      const value = flags[flag];
      if (value !== 'ignore' && value !== 'keep')
        throw new CommandError(`--${flag}: expected ignore or keep, got "${value}".`);
      return [name, value === 'ignore'];
    }),
  );
}
