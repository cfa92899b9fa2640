import { type Finding, fault, ok, warning } from './finding.ts';

const withinMs = 10_000;
/** Less than the largest body that the server takes, and more than the usual limits of proxies allow. */
const largeBodyBytes = 500 * 1024;

type Answer = { status: number; headers: Headers; text: string };

/**
 * Asks a server at its public address, as backends and browsers do, and reports what a proxy in front of it
 * gets wrong. Nothing is stored by it: every request lacks what it would need.
 */
export async function checkOutside(url: URL): Promise<Finding[]> {
  const health = await ask(url, '/health');
  if ('problem' in health) return [health.problem];
  if (readJson(health)?.degraded === undefined)
    return [
      fault(
        `${url.origin}/health answers ${health.status}, but not like Trackside`,
        'pass /health on to Trackside, or check the address',
      ),
    ];
  const findings = [
    health.status === 200
      ? ok(`${url.origin} reaches Trackside`)
      : warning(`/health answers ${health.status}`, 'run `trackside doctor` on the server'),
    ...(await checkTracking(url)),
    ...(await checkPages(url)),
    ...(await checkMetrics(url)),
    ...checkHttps(url, health),
  ];
  return findings;
}

async function checkTracking(url: URL): Promise<Finding[]> {
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  const small = await ask(url, '/api/page-view', { ...post, body: '{}' });
  if ('problem' in small) return [small.problem];
  if (small.status !== 401 || readJson(small)?.Code !== 401)
    return [
      fault(
        `POST /api/page-view without a key answers ${small.status}, where Trackside answers 401`,
        'pass /api/page-view and /api/event-view on unchanged, without redirects or a sign-in by the proxy',
      ),
    ];
  const large = await ask(url, '/api/page-view', { ...post, body: 'x'.repeat(largeBodyBytes) });
  if ('status' in large && large.status === 413 && readJson(large)?.Code === undefined)
    return [
      fault(
        'the proxy refuses bodies that Trackside accepts',
        'allow bodies of 512 KiB: client_max_body_size 1m in nginx',
      ),
    ];
  return [ok('tracking requests are passed on')];
}

async function checkPages(url: URL): Promise<Finding[]> {
  const page = await ask(url, '/', { headers: { Accept: 'text/html' } });
  if ('problem' in page) return [page.problem];
  if (page.status !== 200 || !page.text.includes('<title>Trackside</title>'))
    return [ok(`the web application is not reachable here (${page.status}), only tracking is`)];
  const asBrowser = { Origin: url.origin, 'Content-Type': 'application/json' };
  const signIn = await ask(url, '/api/session', { method: 'POST', headers: asBrowser, body: '{}' });
  if ('problem' in signIn) return [signIn.problem];
  if (readJson(signIn)?.fault === 'foreign-origin')
    return [
      fault(
        'the web application opens, but nobody can sign in: the proxy replaces the Host header',
        'pass Host on: proxy_set_header Host $http_host in nginx',
      ),
    ];
  return [ok('the web application opens, and accepts sign-ins')];
}

async function checkMetrics(url: URL): Promise<Finding[]> {
  const metrics = await ask(url, '/metrics');
  if ('problem' in metrics) return [metrics.problem];
  if (metrics.status !== 200) return [ok('/metrics is not public')];
  // Trackside answers programs on its own machine. Only the public address shows whether it answers others.
  return isOwnAddress(url)
    ? [warning('/metrics is open on this machine', 'check the public address too: it must not be open there')]
    : [fault('/metrics is public', 'let the proxy answer 404 for /metrics')];
}

/** Whether it can be the address of Trackside itself, which knows no https. */
const isOwnAddress = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && /^(?:localhost|127\..*|\[::1\])$/.test(hostname);

function checkHttps(url: URL, { headers }: Answer): Finding[] {
  if (url.protocol === 'http:') {
    return isOwnAddress(url)
      ? []
      : [
          warning(
            'the address is not encrypted',
            'put a proxy with TLS in front, and check its https address',
          ),
        ];
  }
  return headers.has('strict-transport-security')
    ? [ok('Trackside knows that it is reached by https')]
    : [
        warning(
          'Trackside does not know that it is reached by https, so its cookies are not marked as secure',
          'send it: proxy_set_header X-Forwarded-Proto $scheme in nginx',
        ),
      ];
}

async function ask(
  url: URL,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer | { problem: Finding }> {
  try {
    const response = await fetch(new URL(path, url), {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return {
      problem: fault(
        `${url.origin}${path} does not answer (${why})`,
        'check the address, DNS, the certificate, the firewall, and that the proxy and Trackside run',
      ),
    };
  }
}

function readJson({ text }: Answer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
