import type { HandlerAnswer, IncomingRecord } from '../request/incoming-request.ts';
import { readLanguage } from '../visitor/read-language.ts';
import { createScriptAnswerer } from './answer-script.ts';
import { preflight, refused, taken, tooMany, wrongMethod } from './answers.ts';
import { createRecorder } from './create-recorder.ts';
import { createPathTest } from './endpoint-path.ts';
import type { HandlerContext, HandlerOptions } from './handler-options.ts';
import { readCollected } from './read-collected.ts';
import { isOwnPage, judgeSender, readListedOrigins, type Sender } from './same-origin.ts';
import { withinMs } from './within-ms.ts';

export type Handler<R> = {
  /** Returns whether a path, without its query, is the endpoint's. */
  matches(path: string): boolean;
  /**
   * Never rejects. A page view or an event is answered before Trackside, `location` or `clientId` are asked.
   */
  handle(request: IncomingRecord, original: R, context?: HandlerContext): Promise<HandlerAnswer>;
};

const maxBodyBytes = 32 * 1024;
const bodyLimitMs = 10_000;

/**
 * Creates the endpoint at the customer's own backend, for any framework. An adapter brings the request and
 * writes the answer.
 */
export function createHandler<R>(options: HandlerOptions<R>): Handler<R> {
  const recorder = createRecorder(options);
  const listed = readListedOrigins(options.origins ?? []);
  const answerScript = createScriptAnswerer({
    respectDoNotTrack: options.respectDoNotTrack ?? false,
    isShared: listed.size > 0,
  });

  async function take(
    request: IncomingRecord,
    original: R,
    context: HandlerContext | undefined,
  ): Promise<HandlerAnswer> {
    const ownOrigin = recorder.origin(request);
    const sender = judgeSender(request, ownOrigin, listed);
    if (sender.kind === 'foreign') return refused(403, foreignSender(ownOrigin), null);
    const origin = allowedOrigin(sender);
    if (recorder.isRefusedByVisitor(request)) return taken(origin);
    const ip = recorder.readIp(request);
    const waitMs = ip === undefined ? 0 : recorder.waitMs(ip, request);
    if (waitMs > 0) return tooMany(waitMs, origin);
    const body = await readBody(request);
    if (body.kind === 'fault') return refused(body.status, body.text, origin);
    const read = readCollected(body.text);
    if (read.kind === 'fault') return refused(400, read.text, origin);
    const { language, event, ...seen } = read.collected;
    if (!isOwnPage(seen.page, sender, ownOrigin, listed)) return refused(403, foreignPage(ownOrigin), origin);
    if (ip !== undefined) {
      const visit = { ip, language: readLanguage(language, recorder.language), ...seen };
      recorder.record(visit, event, request, original, context);
    }
    return taken(origin);
  }

  function answer(
    request: IncomingRecord,
    original: R,
    context: HandlerContext | undefined,
  ): HandlerAnswer | Promise<HandlerAnswer> {
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return answerScript(request);
      case 'POST':
        return take(request, original, context);
      case 'OPTIONS':
        return preflight(allowedOrigin(judgeSender(request, recorder.origin(request), listed)));
      default:
        return wrongMethod(request.method);
    }
  }

  return {
    matches: createPathTest(options.path),
    async handle(request, original, context) {
      try {
        return await answer(request, original, context);
      } catch (fault) {
        // Visitors can do nothing about our faults, and should not see them in the console.
        recorder.report(fault);
        return taken(null);
      }
    },
  };
}

type Body = { kind: 'text'; text: string } | { kind: 'fault'; status: 400 | 413; text: string };

async function readBody(request: IncomingRecord): Promise<Body> {
  try {
    const text = await withinMs(request.readText(maxBodyBytes), bodyLimitMs, 'Body');
    if (text !== undefined) return { kind: 'text', text };
    return { kind: 'fault', status: 413, text: `Body: expected at most ${maxBodyBytes} bytes, got more` };
  } catch {
    return { kind: 'fault', status: 400, text: partialBody };
  }
}

const partialBody =
  'Body: expected the whole body in time, got part of it at most; did something read it before this handler?';

const allowedOrigin = (sender: Sender) => (sender.kind === 'listed' ? sender.origin : null);

const foreignSender = (ownOrigin: string) =>
  `Origin: expected a page on ${ownOrigin}, got another origin or none; ` +
  'add it to origins if it is yours, and set proxies if visitors see another address for your site';

const foreignPage = (ownOrigin: string) =>
  `Absolute: expected a page on ${ownOrigin}, got one on another host; ` +
  'add its origin to origins if it is yours, and set proxies if visitors see another address for your site';
