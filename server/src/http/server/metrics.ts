import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Metric, Registry } from 'prom-client';
import { hashApiKey } from '../../control/websites/hash-api-key.ts';
import { answerText } from './answer.ts';

/** It has five lines for each website, so it is there only for those who ask. */
export const websiteRecordsMetric = 'trackside_website_records_total';

async function write(registry: Registry, isByWebsite: boolean): Promise<string> {
  const metrics = registry.getMetricsAsArray() as unknown as (Metric & { name: string })[];
  const asked = new Registry();
  for (const metric of metrics)
    if (isByWebsite || metric.name !== websiteRecordsMetric) asked.registerMetric(metric);
  return await asked.metrics();
}

/** Returns the route GET /metrics, for this machine and for clients with the token. */
export function metricsRoute(read: () => Promise<Registry>, token: string | undefined) {
  return {
    method: 'GET' as const,
    path: '/metrics',
    register(app: FastifyInstance) {
      app.get('/metrics', async (request, reply) => {
        if (!isFromThisMachine(request) && !hasToken(request, token)) {
          const message =
            'Unauthorized: /metrics answers to this machine, or to "Authorization: Bearer TOKEN"';
          return reply.code(401).type('application/json').send(answerText(401, message));
        }
        const registry = await read();
        const isByWebsite = (request.query as Record<string, unknown>).websites === '1';
        return reply.type(registry.contentType).send(await write(registry, isByWebsite));
      });
    },
  };
}

/** Headers that proxies and CDNs add to a request. */
const forwarding =
  /^(?:forwarded|via|x-forwarded|(?:x-)?(?:forwarded|original|client|real|cluster|envoy|azure|amzn?|appengine|cloud)-.*|(?:true|fastly|fly)-client-ip|cf-.*|cdn-loop)$/i;
const loopbackAddress = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const loopbackHost = /^(?:(?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i;

/**
 * Returns whether a request comes from this machine itself. A proxy on this machine also comes from loopback,
 * but it adds headers, and their presence alone is enough to refuse it. A browser on this machine can be led
 * here under another name (DNS rebinding), which then appears in Host.
 */
function isFromThisMachine({ raw }: FastifyRequest): boolean {
  if (!loopbackAddress.test(raw.socket.remoteAddress ?? '') || !raw.url?.startsWith('/')) return false;
  const { rawHeaders } = raw;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at]!, rawHeaders[at + 1]!];
    if (forwarding.test(name)) return false;
    if (name.toLowerCase() === 'host' && !loopbackHost.test(value)) return false;
  }
  return true;
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false;
  const came = Buffer.from(hashApiKey(request.headers.authorization ?? ''));
  return timingSafeEqual(came, Buffer.from(hashApiKey(`Bearer ${token}`)));
}
