import type { SeenNode } from '../../control/nodes/nodes.ts';
import type { Control } from '../../control/open-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import { awayMs } from '../../node/cluster/describe-away.ts';
import { leaseMs } from '../../node/cluster/keep-ownership.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { readYes } from '../terminal/read-yes.ts';
import { countNodeRecords } from './count-node-records.ts';

/** What a killed node was inserting has ended by then. */
const silentMs = 90_000;

export const nodeCommands: Record<string, Command> = {
  'node list': {
    usage: 'node list',
    help:
      'Lists the servers that share one store: which of them is running, up to when its records are in the ' +
      'store, and\nwhich one builds days and runs removals. An erasure is remembered until no journal holds records from ' +
      'before it.',
    words: { min: 0, max: 0 },
    flags: {},
    run: (input) => withControl(input, (control) => listNodes(input, control)),
  },
  'node retire': {
    usage: 'node retire NAME [--forget] [--yes]',
    help:
      'Stops waiting for a server that is gone for good, so that statistics and removals go on without it. ' +
      'Records that\nare only in its journal are missing until it is started again; they are added to their ' +
      'days then. If its data folder\nis destroyed, add --forget: erasures are no longer remembered because of ' +
      'its journal, and what it had reserved of\nmonthly quotas and not used is given back. It can never be ' +
      'started again after that.',
    words: { min: 1, max: 1 },
    flags: {
      forget: { type: 'boolean', help: 'its data folder is destroyed, with all copies' },
      yes: { type: 'boolean', help: 'forget it without asking for confirmation' },
    },
    run: (input) => withControl(input, (control) => retireNode(input, control)),
  },
};

async function listNodes({ config }: CommandInput, control: Control): Promise<CommandOutput> {
  const [nodes, owner, ledger] = await Promise.all([
    control.nodes.list(),
    control.ownership.owner(leaseMs),
    readLedger(dataFolder(config.dataDir).journal),
  ]);
  const self = ledger?.node ?? null;
  const isOwner = ({ name }: SeenNode) => name === owner?.node;
  const json = {
    self,
    nodes: nodes.map((node) => ({
      name: node.name,
      state: stateOf(node),
      isOwner: isOwner(node),
      seenAt: new Date(node.seenAt).toISOString(),
      loadedTo: node.hasLeft ? null : new Date(node.loadedTo).toISOString(),
      holdsFrom: node.isDestroyed ? null : new Date(node.holdsFrom).toISOString(),
    })),
  };
  if (nodes.length === 0)
    return { json, text: 'No servers share this store: that needs PostgreSQL and a store outside.' };
  const rows = nodes.map((node) => [
    node.name,
    stateOf(node),
    node.hasLeft ? '' : `loaded up to ${new Date(node.loadedTo).toISOString()}`,
    node.isDestroyed ? '' : `journal since ${new Date(node.holdsFrom).toISOString()}`,
    [isOwner(node) ? 'builds days and runs removals' : '', node.name === self ? 'this server' : '']
      .filter(Boolean)
      .join(', '),
  ]);
  return { json, text: alignColumns(rows) };
}

function stateOf({ hasLeft, isDestroyed, silentMs: forMs }: SeenNode) {
  if (isDestroyed) return 'forgotten';
  if (hasLeft) return 'stopped';
  return forMs > awayMs ? 'away' : 'running';
}

async function retireNode(input: CommandInput, control: Control): Promise<CommandOutput> {
  const name = input.words[0]!;
  const node = (await control.nodes.list()).find((one) => one.name === name);
  if (node === undefined)
    throw new CommandError(`There is no node ${JSON.stringify(name)}. Run \`trackside node list\`.`);
  if (input.flags.forget === true) return await forgetNode(input, control, node);
  await retire(control, name);
  return {
    json: { name, isRetired: true },
    text:
      `Node ${name} is retired. If its data folder still exists, start it once more to add the records ` +
      'in its journal. If the folder is destroyed, run the command again with --forget.',
  };
}

async function retire(control: Control, name: string): Promise<void> {
  if ((await control.nodes.retire(name, silentMs)) === 'alive')
    throw new CommandError(
      `Node ${name} was heard of within the last ${silentMs / 1000} seconds. ` +
        'Retire it only when it no longer runs; stop it, and try again later.',
    );
  // What only this node knows of repeats is given up, so that repeats are accepted again.
  await control.keyHolders.remove(name);
}

/** As long as its journal exists, it may bring back records that were erased, and that count toward quotas. */
async function forgetNode(
  input: CommandInput,
  control: Control,
  { name, loadedTo, hasLeft }: SeenNode,
): Promise<CommandOutput> {
  const { config, flags } = input;
  const own = await readLedger(dataFolder(config.dataDir).journal);
  if (own?.node === name)
    throw new CommandError(
      `Node ${name} is the one in ${config.dataDir}, and its journal is still there. ` +
        'Delete the folder first, and run the command on another server.',
    );
  const lost = hasLeft ? '' : `, such as those since ${new Date(loadedTo).toISOString()}`;
  if (flags.yes !== true)
    await readYes({
      input: process.stdin,
      output: process.stderr,
      isTaken: false,
      question:
        `Is the data folder of node ${name} destroyed, with all copies? Records that only its journal ` +
        `has${lost} are lost for good then, and it can never be started again.`,
    });
  const givenBack = await withStore(input, async (store) => {
    await retire(control, name);
    await control.nodes.noteDestroyed(name);
    const months = await control.usage.unusedLeases(name);
    return await control.usage.endLeases(name, await countNodeRecords(store, name, months));
  });
  const records = `${givenBack.toLocaleString('en-US')} ${givenBack === 1 ? 'record' : 'records'}`;
  return {
    json: { name, isRetired: true, isForgotten: true, givenBack },
    text: `Node ${name} is forgotten. It had reserved ${records} of monthly quotas that can be used again.`,
  };
}
