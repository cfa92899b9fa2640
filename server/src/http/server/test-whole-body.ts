/** A route for tests that takes its bodies as the routes of the application and of statistics do. */
import type { FastifyInstance } from 'fastify';
import { takeWholeBodies } from './take-whole-bodies.ts';

export const wholeBodyRouteAt = (path: string) => ({
  method: 'POST' as const,
  path,
  register(app: FastifyInstance) {
    app.register(async (scope) => {
      takeWholeBodies(scope, 64 * 1024);
      scope.post(path, (request) => ({ bytes: (request.body as Buffer).length }));
    });
  },
});
