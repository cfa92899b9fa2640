import { parseArgs } from 'node:util';
import type { Ack } from './scene.ts';

const networks = ['local', 'namespaces'];

/** All options, with their defaults. To add one, add a line here and its field to `TortureOptions`. */
const table = {
  mode: { fallback: 'all', help: 'one of the modes above, or all of them' },
  kills: { fallback: '1000', help: 'how many kills, cuts and other faults, shared among the modes' },
  rounds: { fallback: '0', help: 'with --mode power or corrupt: how many rounds, whatever --kills says' },
  seed: { fallback: undefined, help: 'a number that plans everything that happens (default: a new one)' },
  minutes: { fallback: '600', help: 'no round begins after this much time, shared among the modes' },
  clients: { fallback: '8', help: 'how many clients send records at the same time' },
  network: {
    fallback: 'local',
    help: 'with --mode cluster: local, or namespaces, which needs root and gives each node its own network',
  },
  nodes: { fallback: '2', help: 'how many nodes --mode cluster has' },
  ack: {
    fallback: 'disk',
    help: 'when a record is answered: disk or store; not in the modes store and clock',
  },
} as const;

type Name = keyof typeof table;

export type TortureOptions = {
  mode: string;
  kills: number;
  /** 0 if the number of kills decides. */
  rounds: number;
  seed: number;
  minutes: number;
  clients: number;
  network: 'local' | 'namespaces';
  nodes: number;
  ack: Ack;
};

/** Thrown if the command line is wrong. The message says what was expected. */
export class OptionError extends Error {}

/** Reads the command line. Returns 'help' if that is what it asks for. */
export function readTortureOptions(
  words: readonly string[],
  modes: readonly string[],
  newSeed: number,
): TortureOptions | 'help' {
  const values = parse(words);
  if (values.help === true) return 'help';
  const text = (name: Name): string => values[name] ?? table[name].fallback ?? String(newSeed);
  const whole = (name: Name): number => {
    const number = Number(text(name));
    if (text(name) !== '' && Number.isInteger(number) && number >= 0) return number;
    throw new OptionError(`--${name}: expected a whole number, got "${text(name)}".`);
  };
  const [mode, network] = [text('mode'), text('network')];
  if (![...modes, 'all'].includes(mode))
    throw new OptionError(`--mode: expected one of ${modes.join(', ')} or all, got "${mode}".`);
  if (!networks.includes(network) || (network === 'namespaces' && mode !== 'cluster'))
    throw new OptionError(`--network: expected local, or namespaces with --mode cluster, got "${network}".`);
  const [nodes, ack] = [whole('nodes'), text('ack')];
  if (nodes < 1 || nodes > 9) throw new OptionError(`--nodes: expected 1 to 9, got "${nodes}".`);
  if (ack !== 'disk' && ack !== 'store')
    throw new OptionError(`--ack: expected disk or store, got "${ack}".`);
  return {
    mode,
    nodes,
    ack,
    kills: whole('kills'),
    rounds: whole('rounds'),
    seed: whole('seed'),
    minutes: whole('minutes'),
    clients: whole('clients'),
    network: network as TortureOptions['network'],
  };
}

function parse(words: readonly string[]): { [option in Name]?: string } & { help?: boolean } {
  const text = { type: 'string' } as const;
  const options = Object.fromEntries(Object.keys(table).map((name) => [name, text]));
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { ...options, help: { type: 'boolean' } as const },
    });
    return values;
  } catch (error) {
    throw new OptionError(`${(error as Error).message}.`);
  }
}

/** The text of --help. */
export function describeOptions(modes: Record<string, { about: string }>): string {
  const lines = (rows: [string, string][]) => {
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`).join('');
  };
  const options = Object.entries(table).map(([name, { fallback, help }]): [string, string] => [
    `--${name}`,
    fallback === undefined ? help : `${help} (default: ${fallback})`,
  ]);
  return (
    'npm run torture -- [options]\n\n' +
    'Kills parts of a running system at random under load, and checks that nothing is lost, nothing is\n' +
    'counted twice, and no contingent is exceeded. Without options, it runs all modes in turn. It ends with\n' +
    'the first round that breaks a promise, and prints the command that runs the same round again.\n\n' +
    `Modes:\n${lines(Object.entries(modes).map(([name, { about }]) => [name, about]))}\n` +
    `Options:\n${lines(options)}`
  );
}
