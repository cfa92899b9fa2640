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
      'Sets which addresses of a website count as the same page. By default, all differences count. ' +
      'Records are not\n' +
      'changed, so you can undo this at any time. A running server recalculates past days within minutes; ' +
      'to do it right\n' +
      'away, run `trackside rebuild`.',
    words: { min: 1, max: 1 },
    flags: Object.fromEntries(
      Object.entries(rules).map(([flag, { about }]) => [
        flag,
        { type: 'string' as const, help: `ignore or keep the difference between ${about}` },
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
    ({ name, about }) => `${about} count as ${website[name] ? 'the same page' : 'different pages'}.`,
  );
  const chosen = Object.fromEntries(Object.values(rules).map(({ name }) => [name, website[name]]));
  return {
    json: { id, domain, ...chosen },
    text:
      `On ${domain}:\n${lines.join('\n')}\n` +
      'A running server recalculates past days within minutes. ' +
      `To do it right away: trackside rebuild ${domain}`,
  };
}

function readFlags(flags: Flags): Partial<AddressRules> {
  const given = Object.entries(rules).filter(([flag]) => flags[flag] !== undefined);
  if (given.length === 0)
    throw new CommandError(
      `Expected at least one of --${Object.keys(rules).join(', --')}, each set to ignore or keep, got none.`,
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
