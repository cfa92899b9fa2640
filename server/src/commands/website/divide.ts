import { ClickHouseError } from '@clickhouse/client';
import { divideWebsite } from '../../actions/divide-website.ts';
import { isDomainConfirmed } from '../../actions/remove-website.ts';
import { clickhouseClusterVariable } from '../../config/variables.ts';
import type { Control } from '../../control/open-control.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { findWebsite } from './find-website.ts';

export const divideCommand: Command = {
  usage: 'website divide ID|DOMAIN --confirm DOMAIN',
  help:
    'Spreads the new records of a website over all shards of the ClickHouse cluster, by visitor. ' +
    'Its earlier records\n' +
    'stay where they are. Use it for a website that is too large for one shard: ' +
    'its questions then need all shards.\n' +
    'This cannot be undone.',
  words: { min: 1, max: 1 },
  flags: { confirm: { type: 'string', help: 'the domain of the website, to confirm' } },
  run: (input) => withControl(input, (control) => divide(input, control)),
};

async function divide(input: CommandInput, control: Control): Promise<CommandOutput> {
  const { id, domain } = await findWebsite(control, input.words[0]!);
  if (readOutsideStore(input.config)?.cluster === undefined)
    throw new CommandError(
      `Expected a store on a ClickHouse cluster, got one without shards. ` +
        `Set ${clickhouseClusterVariable} as for the server.`,
    );
  const { confirm } = input.flags;
  if (typeof confirm !== 'string' || !isDomainConfirmed(domain, confirm)) {
    const got = typeof confirm === 'string' ? `"${confirm}"` : 'nothing';
    throw new CommandError(
      `--confirm: expected ${domain}, got ${got}. Every question about this website will need all shards:\n` +
        'it takes longer, and fails while one of them is away. All servers must have this version.\n' +
        `This cannot be undone. To go ahead: trackside website divide ${id} --confirm ${domain}`,
    );
  }
  const isNew = await withStore(input, async (store) => {
    if (await store.isDivided(id)) return false;
    input.progress(`Telling all servers that ${domain} is on all shards …`, { isPassing: true });
    const parts = { control, run: store.divideWebsite };
    await divideWebsite(parts, 'command line', { id, domain }).catch(explainFault);
    return true;
  });
  return {
    json: { id, domain, isNew },
    text: isNew
      ? `New records of ${domain} go to all shards now, by visitor. Earlier ones stay where they are.`
      : `${domain} is already divided.`,
  };
}

/** A host that is away can't be told. What the others know by then is right without it. */
function explainFault(error: unknown): never {
  if (!(error instanceof ClickHouseError)) throw error;
  throw new CommandError(
    `The website is not divided, because the cluster did not accept it (${error.type ?? error.code}). ` +
      'All hosts must be there:\ncheck them with `trackside doctor --cluster`, then run the command again.',
  );
}
