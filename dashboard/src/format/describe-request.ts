import type { RecentRequest } from '#api/shapes.ts';
import type { Format } from './create-format.ts';

type Understood = NonNullable<RecentRequest['understood']>;

/** Describes a request in one line: page view · /pricing · Firefox, Germany, Google */
export function describeRequest(request: RecentRequest, format: Pick<Format, 'country'>): string {
  const { understood } = request;
  if (request.isRepeat) {
    const kind = request.kind === 'event' ? 'event' : 'page view';
    return `${kind} · sent again with its Idempotency-Key, not counted again`;
  }
  if (request.code !== 200 || understood === null) return request.message;
  const parts =
    understood.event === null
      ? ['page view', understood.page]
      : ['event', understood.event, spellParameters(understood.parameters)];
  const about = [
    understood.bot ?? understood.browser,
    format.country(understood.country),
    understood.source,
  ].filter((part) => part !== '');
  return [...parts, about.join(', ')].filter((part) => part !== '').join(' · ');
}

export type Fact = { name: string; value: string };

/** Lists what Trackside understood of a record, so that somebody can check it. */
export function listFacts(understood: Understood, format: Pick<Format, 'country'>): Fact[] {
  const { event, parameters, page, browser, os, country, source, bot, hasClientId } = understood;
  return [
    ...(event === null
      ? []
      : [{ name: 'Event', value: [event, spellParameters(parameters)].filter(Boolean).join(', ') }]),
    { name: 'Page', value: page },
    { name: 'Browser', value: browser === '' ? 'unknown' : os === '' ? browser : `${browser} on ${os}` },
    { name: 'Country', value: country === '' ? 'not sent' : format.country(country) },
    { name: 'Source', value: source === '' ? 'direct' : source },
    { name: 'Visitor', value: bot === null ? 'a person' : `a bot: ${bot}` },
    { name: 'ClientId', value: hasClientId ? 'sent; only its hash is kept' : 'not sent' },
  ];
}

function spellParameters(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 parameter' : `${count} parameters`;
}
