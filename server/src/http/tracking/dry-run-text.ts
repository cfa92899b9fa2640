import type { ExclusionKind } from '@trackside/contract/app/exclusion-kinds.ts';
import type { Understood } from '@trackside/contract/tracking/understood.ts';
import type { UnderstoodRecord } from '../../intake/dry-run.ts';

/** Returns the body of the answer to a dry run: the verdict, and what was understood of the record. */
export function dryRunText(
  code: number,
  message: string,
  excluded: ExclusionKind | null,
  understood: UnderstoodRecord | undefined,
): string {
  const answer = { Code: code, Message: message, DryRun: true };
  return JSON.stringify(
    understood === undefined ? answer : { ...answer, Understood: toMembers(understood, excluded) },
  );
}

function toMembers(understood: UnderstoodRecord, excluded: ExclusionKind | null): Understood {
  return {
    OccurredAt: understood.occurredAt,
    Day: understood.day,
    Host: understood.host,
    Page: understood.page,
    Query: understood.query,
    Event: understood.event,
    Parameters: understood.parameters,
    Source: understood.source,
    Channel: understood.channel,
    Country: understood.country,
    Browser: understood.browser,
    OS: understood.os,
    Device: understood.device,
    Bot: understood.bot,
    HasClientId: understood.hasClientId,
    Excluded: excluded,
  };
}
