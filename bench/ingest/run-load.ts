import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export type Request = { path: string; body: string; apiKey: string };
export type LoadResult = { perSecond: number; answers: number; errors: number; p50Ms: number; p99Ms: number };
export type LoadOptions = {
  origin: string;
  requests: Request[];
  connections: number;
  seconds: number;
};
export type RunLoad = (options: LoadOptions) => Promise<LoadResult>;

/**
 * Chooses wrk if it is installed, because it leaves most of the machine to the server, or else autocannon.
 */
export function chooseLoad(folder: string): { name: string; run: RunLoad } {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' });
  } catch (error) {
    // wrk prints its version with exit code 1.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { name: 'autocannon', run: runAutocannon };
  }
  return { name: 'wrk', run: (options) => runWrk(folder, options) };
}

async function runWrk(folder: string, options: LoadOptions): Promise<LoadResult> {
  const script = join(folder, 'load.lua');
  writeFileSync(script, luaScript(options));
  const { stdout } = await promisify(execFile)('wrk', [
    '-t',
    '1',
    '-c',
    String(options.connections),
    '-d',
    `${options.seconds}s`,
    '-s',
    script,
    options.origin,
  ]);
  const found = /RESULT (\{.*\})/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`wrk said:\n${stdout}`);
  return JSON.parse(found);
}

function luaScript({ requests }: LoadOptions): string {
  const quoted = requests.map(
    ({ path, body, apiKey }) => `{${luaString(path)},${luaString(body)},${luaString(apiKey)}}`,
  );
  return `
local raw = {${quoted.join(',\n')}}
local requests, at = {}, 0
function init()
  for i, r in ipairs(raw) do
    local headers = { ['Authorization'] = r[3], ['Content-Type'] = 'application/json' }
    requests[i] = wrk.format('POST', r[1], headers, r[2])
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('RESULT {"perSecond":%f,"answers":%d,"errors":%d,"p50Ms":%f,"p99Ms":%f}\\n',
    summary.requests / summary.duration * 1e6, summary.requests,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;
}

function luaString(text: string): string {
  return `[==[${text}]==]`;
}

async function runAutocannon(options: LoadOptions): Promise<LoadResult> {
  const { origin, requests, connections, seconds } = options;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    requests: requests.map(({ path, body, apiKey }) => ({
      method: 'POST' as const,
      path,
      body,
      headers: { Authorization: apiKey, 'Content-Type': 'application/json' },
    })),
  });
  return {
    perSecond: result.requests.average,
    answers: result.requests.total,
    errors: result.errors + result.non2xx,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
