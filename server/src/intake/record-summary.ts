import { toPage } from '../text/address-rules.ts';
import type { Described } from './describe/create-describer.ts';
import type { Identified } from './steps/identify.ts';

/** What was understood of a record, for its sender. It does not tell who the visitor is. */
export type RecordSummary = {
  page: string;
  event: string | null;
  parameters: number;
  browser: string;
  os: string;
  country: string;
  source: string;
  /** Null for a person. */
  bot: string | null;
  hasClientId: boolean;
};

export function summarize(
  { valid, visitor, website }: Pick<Identified, 'valid' | 'visitor' | 'website'>,
  described: Described,
): RecordSummary {
  const event = valid.kind === 'event' ? valid.body : undefined;
  return {
    page: toPage(described.path, website),
    event: event?.Name ?? null,
    parameters: event?.Parameters?.length ?? 0,
    browser: described.browser,
    os: described.os,
    country: valid.body.Metrics.Location.CountryCode?.toUpperCase() ?? '',
    source: described.source,
    bot: described.isBot ? described.bot : null,
    hasClientId: visitor.hasClientId,
  };
}
