import type { WaitUntil } from '../client/tracker.ts';
import { createHandler } from '../handler/create-handler.ts';
import type { HandlerOptions } from '../handler/handler-options.ts';
import { toIncomingRecord, toResponse } from './web-request.ts';

export type { HandlerOptions } from '../handler/handler-options.ts';

export type RouteOptions<R> = Omit<HandlerOptions<R>, 'path'> & {
  /** `after` of `next/server`: keeps a serverless function until the record is sent. */
  after?: WaitUntil;
};
export type Route<R> = Record<'GET' | 'HEAD' | 'POST' | 'OPTIONS', (request: R) => Promise<Response>>;

/** The endpoint as a route of Next.js: `export const { GET, POST } = createRoute({ … })` in `app/side/route.ts`. */
export function createRoute<R extends Request>({ after, ...options }: RouteOptions<R>): Route<R> {
  const handler = createHandler(options);
  const answer = async (request: R) =>
    toResponse(await handler.handle(toIncomingRecord(request, undefined), request, { waitUntil: after }));
  return { GET: answer, HEAD: answer, POST: answer, OPTIONS: answer };
}
