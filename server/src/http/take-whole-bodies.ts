import type { FastifyInstance } from 'fastify';

/** Within this scope a body of any type arrives as the bytes that came; a larger one is refused. */
export function takeWholeBodies(scope: FastifyInstance, maxBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
    done(null, body),
  );
}
