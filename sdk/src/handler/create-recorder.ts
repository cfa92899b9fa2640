import { isLanguageCode } from '@trackside/contract/tracking/field-rules.ts';
import type { EventParameters } from '../record/metrics.ts';
import type { IncomingRequest } from '../request/incoming-request.ts';
import { createAddressReader } from '../visitor/trusted-proxies.ts';
import { createProxyWatch } from '../visitor/watch-proxies.ts';
import { checkOptions } from './check-options.ts';
import { createVisitorDescriber, type Visit } from './describe-visitor.ts';
import { createFaultReporter } from './fault-reporter.ts';
import type { HandlerContext, HandlerOptions } from './handler-options.ts';
import { createRateLimit } from './rate-limit.ts';

export type RecordedEvent = { name: string; parameters: EventParameters };
const defaultPerMinute = 60;
/** A few megabytes: more visitors than one server has in a minute. */
const maxKeys = 20_000;

/**
 * Creates the part that the endpoint and the page counter share: it identifies the visitor and hands over the
 * record.
 */
export function createRecorder<R>(options: Omit<HandlerOptions<R>, 'origins'>) {
  checkOptions(options);
  const { trackside, proxies, rateLimit, respectDoNotTrack = false } = options;
  const nowMs = () => performance.now();
  const reporter = createFaultReporter({
    onError: options.onError ?? ((fault) => console.error(fault)),
    nowMs,
  });
  const addresses = createAddressReader(proxies);
  const watchProxies = createProxyWatch(proxies);
  const describe = createVisitorDescriber(options, reporter);
  const perMinute = rateLimit === false ? undefined : (rateLimit?.perMinute ?? defaultPerMinute);
  const limit = perMinute === undefined ? undefined : createRateLimit({ perMinute, maxKeys, nowMs });

  async function handOver(
    visit: Visit,
    event: RecordedEvent | undefined,
    request: IncomingRequest,
    original: R,
    { waitUntil }: HandlerContext,
  ): Promise<void> {
    try {
      const metrics = await describe(visit, request, original);
      const more = waitUntil === undefined ? {} : { waitUntil };
      if (event === undefined) trackside.trackPageView(metrics, more);
      else trackside.trackEvent(event.name, event.parameters, metrics, more);
    } catch (fault) {
      reporter.report(fault);
    }
  }

  return {
    report: reporter.report,
    language: readFallback(options.language),
    origin: (request: IncomingRequest) => addresses.origin(request),

    isRefusedByVisitor(request: IncomingRequest): boolean {
      return respectDoNotTrack && (request.header('dnt') === '1' || request.header('sec-gpc') === '1');
    },

    /**
     * Returns the visitor's address. If it is unknown, nothing can be recorded and only the settings can
     * change that, so the customer is told.
     */
    readIp(request: IncomingRequest): string | undefined {
      const ip = addresses.ip(request);
      if (ip === undefined) {
        reporter.reportNowAndThen(
          'no address',
          () => new Error(createProxyWatch(proxies)(request) ?? unknownAddress),
        );
      } else {
        const hint = watchProxies(request);
        if (hint !== undefined) reporter.report(new Error(hint));
      }
      return ip;
    },

    /**
     * Returns how long this visitor has to wait, or 0. The customer is told about records that are left out
     * because of this.
     */
    waitMs(ip: string, request: IncomingRequest): number {
      const waitMs = limit?.take(ip, request.header('user-agent') ?? '') ?? 0;
      if (waitMs > 0) reporter.reportNowAndThen('too many', () => new Error(tooManyOf(perMinute!)));
      return waitMs;
    },

    /** Returns at once. Faults from here on go to onError. */
    record(
      visit: Visit,
      event: RecordedEvent | undefined,
      request: IncomingRequest,
      original: R,
      context: HandlerContext = {},
    ): void {
      const work = handOver(visit, event, request, original, context);
      try {
        context.waitUntil?.(work);
      } catch (fault) {
        reporter.report(fault);
      }
    },
  };
}

const tooManyOf = (perMinute: number) =>
  `A visitor sent more than ${perMinute} records per minute, and the rest were dropped. ` +
  "If that wasn't an attack, raise rateLimit.perMinute; if all visitors look like one, set proxies.";

const unknownAddress = "The visitor's IP address is unknown, so nothing was recorded: set proxies.";

function readFallback(language = 'en'): string {
  if (isLanguageCode(language)) return language.toLowerCase();
  throw new Error(
    `language: expected two letters of ISO 639-1 such as "en", got ${JSON.stringify(language)}`,
  );
}
