/** Starts the shop on Express and on Hono, and a Trackside next to them unless one is given. */
import { parseArgs } from 'node:util';
import { Trackside } from '@trackside/sdk';
import { runTrackside, StartError } from './run-trackside.ts';
import { serveShops } from './serve-shops.ts';

const help = `npm run shop -- [flags]

Starts the example shop twice, on Express and on Hono, with a Trackside that counts its visitors.

  --trackside-url URL    use this Trackside instead of starting one; needs --api-key
  --api-key KEY          the API key of a website there
  --express-port PORT    default: 3001; 0 picks a free port, here and below
  --hono-port PORT       default: 3002
  --trackside-port PORT  default: 8090
  --data-dir FOLDER      the data folder of the started Trackside (default: ./data/shop)
  --help                 print this help
`;

class FlagError extends Error {}

const print = (text: string) => process.stdout.write(`${text}\n`);

function readFlags(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      'trackside-url': { type: 'string' },
      'api-key': { type: 'string' },
      'express-port': { type: 'string', default: '3001' },
      'hono-port': { type: 'string', default: '3002' },
      'trackside-port': { type: 'string', default: '8090' },
      'data-dir': { type: 'string', default: './data/shop' },
      help: { type: 'boolean', default: false },
    },
  });
  const port = (name: 'express-port' | 'hono-port' | 'trackside-port') => {
    const text = values[name];
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    throw new FlagError(`--${name}: expected a whole number from 0 to 65535, got "${text}"`);
  };
  const { 'trackside-url': url, 'api-key': apiKey, 'data-dir': dataDir, help: isHelpAsked } = values;
  if ((url === undefined) !== (apiKey === undefined)) {
    const [missing, given] = url === undefined ? ['trackside-url', 'api-key'] : ['api-key', 'trackside-url'];
    throw new FlagError(`--${missing}: expected a value, because --${given} is set. Set both or neither.`);
  }
  return {
    isHelpAsked,
    dataDir,
    tracksidePort: port('trackside-port'),
    given: url === undefined || apiKey === undefined ? undefined : { url, apiKey },
    ports: { express: port('express-port'), hono: port('hono-port') },
  };
}

async function start(args: string[]): Promise<void> {
  const { isHelpAsked, given, dataDir, tracksidePort, ports } = readFlags(args);
  if (isHelpAsked) {
    print(help);
    return;
  }
  const own = given === undefined ? await runTrackside({ dataDir, port: tracksidePort }) : undefined;
  const { url, apiKey } = (given ?? own)!;
  const trackside = new Trackside({ url, apiKey, onError: ({ message }) => print(message) });
  const shops = await serveShops({ trackside }, ports);

  print(`\nThe shop on Express: ${shops.expressUrl}`);
  print(`The shop on Hono:    ${shops.honoUrl}`);
  print(`Trackside:           ${own?.setupLink ?? url}`);
  if (own?.setupLink !== undefined) print('(this link first asks you to create your admin account)');
  print('\nPress Ctrl-C to stop everything.');

  await firstSignal();
  await shops.close();
  const { remaining } = await trackside.close({ withinMs: 5000 });
  if (remaining > 0) print(`Trackside did not respond. Records that could not be sent: ${remaining}.`);
  await own?.stop();
}

/** Settles at the first Ctrl-C or SIGTERM. The next one exits at once. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    const onSignal = () => {
      firstAtMs ??= performance.now();
      resolve();
      // Under npm, Ctrl-C arrives twice, from the terminal and from npm. Both count as one.
      if (performance.now() - firstAtMs > 150) process.exit(130);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
}

try {
  await start(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  const isFlagFault = error instanceof FlagError || (error instanceof TypeError && 'code' in error);
  const isKnown =
    isFlagFault || error instanceof StartError || (error instanceof Error && 'syscall' in error);
  console.error(isKnown ? error.message : error);
  process.exit(isFlagFault ? 2 : 1);
}
