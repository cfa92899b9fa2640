import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Host } from './open-cluster-scene.ts';

const run = promisify(execFile);
const ip = async (...words: string[]) => void (await run('ip', words));

/** Whether this machine lets us give a process a network of its own. */
export async function canOpenHosts(): Promise<boolean> {
  const name = `ts-try-${process.pid}`;
  return await ip('netns', 'add', name).then(
    () => ip('netns', 'delete', name).then(() => true),
    () => false,
  );
}

/**
 * Gives each node a network namespace with three cables: to the clients, to PostgreSQL and to the store. A cable
 * that is pulled drops every packet and tells neither end. Nodes reach each other over the first one, through
 * this machine.
 */
export async function openHosts(count: number): Promise<Host[]> {
  if (!(await canOpenHosts()))
    throw new Error(
      'expected to be able to create network namespaces: run this as root, with `ip` installed',
    );
  return await Promise.all(Array.from({ length: count }, (_, at) => openHost(at)));
}

async function openHost(at: number): Promise<Host> {
  const namespace = `ts-${process.pid}-${at}`;
  await ip('netns', 'add', namespace);
  await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  /** Returns this machine's end of a cable and its addresses. The ends of names are short, as they must be. */
  const lay = async (cable: number) => {
    const [outer, inner] = [`ts${process.pid}${at}${cable}`, `ti${process.pid}${at}${cable}`];
    const address = (end: number) => `10.231.${at * 8 + cable}.${end}`;
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner);
    await ip('link', 'set', inner, 'netns', namespace);
    await ip('addr', 'add', `${address(1)}/24`, 'dev', outer);
    await ip('link', 'set', outer, 'up');
    await ip('-n', namespace, 'addr', 'add', `${address(2)}/24`, 'dev', inner);
    await ip('-n', namespace, 'link', 'set', inner, 'up');
    const pull = {
      cut: () => ip('link', 'set', outer, 'down'),
      mend: () => ip('link', 'set', outer, 'up'),
    };
    return { here: address(1), there: address(2), pull };
  };
  const [clients, postgres, store] = [await lay(0), await lay(1), await lay(2)];
  await ip('-n', namespace, 'route', 'add', 'default', 'via', clients.here);
  return {
    address: clients.there,
    gateway: clients.here,
    linkAddress: { postgres: postgres.here, store: store.here },
    within: ['ip', 'netns', 'exec', namespace],
    silence: { postgres: postgres.pull, store: store.pull },
    // Its cables go with it.
    remove: () => ip('netns', 'delete', namespace),
  };
}
