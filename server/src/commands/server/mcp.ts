import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Config } from '../../config/config.ts';
import { readTokenVariable } from '../../config/variables.ts';
import { version } from '../../files/version.ts';
import { type Command, CommandError } from '../command.ts';
import { findServer } from '../parts/find-server.ts';
import { createMcpClient } from './mcp-client.ts';

async function readOrigin(url: string | boolean | undefined, config: Config): Promise<string> {
  if (typeof url === 'string') {
    if (URL.canParse(url) && /^https?:/.test(url)) return url;
    throw new CommandError(`--url: expected an address such as https://stats.example.com, got "${url}"`);
  }
  const { origin } = await findServer(config);
  if (origin !== undefined) return origin;
  throw new CommandError(
    `${config.dataDir}: no server is running on this folder. Start it, or name one with --url.`,
  );
}

export const mcpCommand: Command = {
  usage: 'mcp [--url https://stats.example.com]',
  help:
    'Lets a language model on this machine read the statistics of one website, over the Model Context\n' +
    `Protocol on standard input and output. The read token of the website comes from ${readTokenVariable};\n` +
    '`trackside token add` creates one. A model that can reach the server itself can use its /mcp instead.',
  words: { min: 0, max: 0 },
  flags: {
    url: { type: 'string', help: 'the server (default: the one that runs on the data folder)' },
  },
  isForAnyUser: true,
  isForAnyFolder: true,
  async run({ config, flags }) {
    const token = config.readToken;
    if (token === undefined)
      throw new CommandError(
        `${readTokenVariable}: expected a read token. Create one with \`npx trackside token add\`.`,
      );
    const client = createMcpClient({ origin: await readOrigin(flags.url, config), token });
    const { serverInfo, instructions } = await client.call('initialize', client.hello);
    const server = new Server(
      { ...(serverInfo as object), name: 'trackside', version },
      {
        capabilities: { tools: {} },
        instructions: String(instructions),
      },
    );
    server.setRequestHandler(
      'tools/list',
      async ({ params }) => (await client.call('tools/list', params)) as never,
    );
    server.setRequestHandler(
      'tools/call',
      async ({ params }) => (await client.call('tools/call', params)) as never,
    );
    const closed = new Promise<void>((resolve) => {
      server.onclose = resolve;
      process.stdin.once('end', resolve);
    });
    await server.connect(new StdioServerTransport());
    await closed;
    return undefined;
  },
};
