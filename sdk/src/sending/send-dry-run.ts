import type { Result } from '../faults/result.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import type { Exchange } from './exchange.ts';
import type { Destination } from './send-in-time.ts';
import { sendRecord } from './send-record.ts';

/** What Trackside would store of a record. Texts are empty where nothing is known. */
export type Understood = {
  /** When it happened, in UTC. */
  occurredAt: string;
  /** The website's local day that the record would count on. */
  day: string;
  host: string;
  page: string;
  query: string;
  /** Null for a page view. */
  event: string | null;
  parameters: number;
  source: string;
  channel: string;
  country: string;
  browser: string;
  os: string;
  device: string;
  /** Null for a person. */
  bot: string | null;
  hasClientId: boolean;
  /** The kind of the rule that excludes the record, such as `path`. Null if it would count. */
  excluded: string | null;
};

/** How a record would be answered, and what was understood of it if its body was valid. */
export type CheckResult = Result & { understood?: Understood };

/** Sends a record that Trackside judges and doesn't store. */
export async function sendDryRun(
  destination: Destination,
  record: TrackRecord,
  clock: Clock,
): Promise<CheckResult> {
  let text = '';
  const exchange: Exchange = async (request, signal) => {
    const headers = { ...request.headers, 'Trackside-Dry-Run': '1' };
    const answer = await destination.exchange({ ...request, headers }, signal);
    text = answer.text;
    return answer;
  };
  const { result } = await sendRecord({ ...destination, exchange }, { ...record, attempts: 1 }, clock);
  if (result.kind !== 'accepted' && result.kind !== 'contingent-used-up') return result;
  const answer = JSON.parse(text) as { DryRun?: true; Understood?: Record<string, unknown> };
  if (answer.DryRun !== true && result.kind === 'accepted') return { ...notJudged };
  return answer.Understood === undefined ? result : { ...result, understood: read(answer.Understood) };
}

const notJudged: Result = {
  kind: 'unavailable',
  code: 200,
  message:
    'Expected the answer to a dry run, got that to a record, which may have been counted: ' +
    'update Trackside to a version with dry runs.',
};

function read(members: Record<string, unknown>): Understood {
  const text = (name: string) => String(members[name] ?? '');
  const textOrNull = (name: string) => (members[name] == null ? null : text(name));
  return {
    occurredAt: text('OccurredAt'),
    day: text('Day'),
    host: text('Host'),
    page: text('Page'),
    query: text('Query'),
    event: textOrNull('Event'),
    parameters: Number(members.Parameters ?? 0),
    source: text('Source'),
    channel: text('Channel'),
    country: text('Country'),
    browser: text('Browser'),
    os: text('OS'),
    device: text('Device'),
    bot: textOrNull('Bot'),
    hasClientId: members.HasClientId === true,
    excluded: textOrNull('Excluded'),
  };
}
