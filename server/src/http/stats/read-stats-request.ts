import type { FastifyRequest } from 'fastify';
import type { Website } from '../../control/websites/website-row.ts';
import { isRefusal } from '../../intake/refusal.ts';
import { readStatsFault, type StatsFault, statsFault } from './read-stats-fault.ts';
import type { StatsParts } from './stats-kinds.ts';

/** Which website a request asks about, and what; or why it is not answered. */
export async function readStatsRequest(
  { websiteCache, readerOf, log }: Pick<StatsParts, 'websiteCache' | 'readerOf' | 'log'>,
  request: FastifyRequest,
): Promise<{ website: Website; body: unknown; by: 'user' | 'link' } | StatsFault> {
  const reader = await readerOf(request).catch((error: unknown): StatsFault => {
    const fault = readStatsFault(error);
    if (fault.isOurs) log.error({ err: error }, 'cannot look up who asks for statistics');
    return fault;
  });
  if ('code' in reader) return reader;
  if (isRefusal(reader)) return statsFault('unauthorized', reader.message);
  let website = websiteCache.get(reader.websiteId);
  if (website === undefined) {
    // Made a moment ago, perhaps: who has just added it looks at once.
    await websiteCache.refresh();
    website = websiteCache.get(reader.websiteId);
  }
  if (website === undefined)
    return statsFault('website-not-ready', 'The website is being set up: try again in a moment', 1);
  const body = readJson(request.body);
  if (body === undefined)
    return statsFault('body-invalid', 'Body: expected a JSON object in UTF-8, got something else');
  return { website, body: body.json, by: reader.isByLink === true ? 'link' : 'user' };
}

/** An empty body asks for the defaults. */
function readJson(body: unknown): { json: unknown } | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return { json: {} };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}
