import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export type RunningTrackside = {
  url: string;
  apiKey: string;
  /** Set as long as there is no user. */
  setupLink: string | undefined;
  stop: () => Promise<void>;
};

/** An error that the person at the keyboard can fix. */
export class StartError extends Error {}

const trackside = fileURLToPath(new URL('../../server/bin/trackside.js', import.meta.url));
const domain = 'isoline.example';

/**
 * Starts Trackside with a website for the shop. Anything counted in the same folder before is still there.
 */
export async function runTrackside(options: { dataDir: string; port: number }): Promise<RunningTrackside> {
  const onFolder = ['--data-dir', options.dataDir];
  const apiKey = await findKey(onFolder);
  const serve = ['serve', '--port', String(options.port), '--log-level', 'warn', ...onFolder];
  // In its own process group, so that Ctrl-C reaches the shop first, which still has records to send.
  const child = spawn(process.execPath, [trackside, ...serve], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const killChild = () => child.kill('SIGTERM');
  process.once('exit', killChild);
  // Without a terminal, the server logs to standard output, and prints its address to standard error.
  child.stdout!.resume();
  let said = '';
  for await (const text of child.stderr!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += text;
    const url = /is running at (\S+)/.exec(said)?.[1];
    if (url === undefined) continue;
    child.stderr!.pipe(process.stderr);
    return {
      url,
      apiKey,
      setupLink: /\S+\/setup#\S+/.exec(said)?.[0],
      async stop() {
        killChild();
        await exited;
        process.off('exit', killChild);
      },
    };
  }
  process.stderr.write(said);
  throw new StartError('Trackside exited before it was ready. The output above says why.');
}

/** Returns the key of the website from an earlier start, or else of a new one. */
async function findKey(onFolder: string[]): Promise<string> {
  const run = async (...words: string[]) => {
    const args = [trackside, 'website', ...words, ...onFolder, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return (JSON.parse(stdout) as { apiKey: string }).apiKey;
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return await run('add', domain, '--timezone', timeZone).catch(() => run('show-key', domain));
}
