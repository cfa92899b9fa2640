import { randomBytes } from 'node:crypto';

/** Requests that a stranger can send a thousand times a second, with new made-up credentials each time. */
export const strangers = {
  'sign-ins': () => post('/api/session', credentials()),
  'sign-ins by a proxy': () => post('/api/session', credentials(), { 'X-Forwarded-For': '203.0.113.9' }),
  'guessed share links': () => request('GET', `/api/share/${secret(24)}`),
  'statistics by guessed links': () => post('/api/stats/query', {}, { 'Trackside-Share': secret(24) }),
  'settings without a session': () => post('/api/websites', website),
  'settings with a made-up session': () => post('/api/websites', website, session()),
  'statistics with made-up tokens': () =>
    post('/api/stats/query', {}, { Authorization: `Bearer tsr_${secret(32)}` }),
  'statistics with made-up sessions': () =>
    post('/api/stats/query', {}, { 'Trackside-Website': '1', ...session() }),
  'guessed setup links': () => post('/api/setup', { token: secret(32), ...credentials() }),
} as const satisfies Record<string, () => string>;

export type StrangerKind = keyof typeof strangers;

const website = { domain: 'stranger.example', timezone: 'UTC', contingent: null };
const secret = (bytes: number) => randomBytes(bytes).toString('base64url');
const session = () => ({ Cookie: `trackside_session=${secret(32)}` });
const credentials = () => ({ email: `${secret(6)}@example.com`, password: secret(12) });

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  request('POST', path, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(body));

function request(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const all = {
    Host: 'stranger.example',
    Origin: 'http://stranger.example',
    ...headers,
    ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
