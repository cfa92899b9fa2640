import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { hashApiKey } from '../../control/hash-api-key.ts';
import { answerText } from '../answer.ts';

/** GET /metrics, for this machine or for who has the token. */
export function metricsRoute(registry: Registry, token: string | undefined) {
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
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}

/** A proxy on this machine also comes from loopback, but says for whom. */
function isFromThisMachine(request: FastifyRequest): boolean {
  const { forwarded, 'x-forwarded-for': forwardedFor, 'x-real-ip': realIp, via } = request.headers;
  if (forwarded ?? forwardedFor ?? realIp ?? via) return false;
  const address = request.socket.remoteAddress ?? '';
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false;
  const came = Buffer.from(hashApiKey(request.headers.authorization ?? ''));
  return timingSafeEqual(came, Buffer.from(hashApiKey(`Bearer ${token}`)));
}
