import { domainToUnicode } from 'node:url';
import type {
  AuditEntryAnswer,
  FunnelAnswer,
  NoteAnswer,
  ReadTokenAnswer,
  RecentRequestAnswer,
  SegmentAnswer,
  ShareAnswer,
  UnknownSenderAnswer,
  UsageAnswer,
  UserAnswer,
  WebsiteAnswer,
  WebsiteSettingsAnswer,
} from '@trackside/contract/app/answers.ts';
import type { AuditEntry } from '../../control/accounts/audit-log.ts';
import type { User } from '../../control/accounts/user-row.ts';
import type { KeyFacts } from '../../control/websites/api-keys.ts';
import type { Note } from '../../control/websites/notes.ts';
import type { ReadToken } from '../../control/websites/read-tokens.ts';
import type { SavedFunnel } from '../../control/websites/saved-funnels.ts';
import type { SavedSegment } from '../../control/websites/saved-segments.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { RecentRequest, UnknownSender } from '../tracking/recent-requests.ts';

const toIso = (ms: number) => new Date(ms).toISOString();
/** Returns a domain in the script that people read. */
const shown = (domain: string) => domainToUnicode(domain) || domain;
const toIsoOrNull = (ms: number | null) => (ms === null ? null : toIso(ms));

export function toWebsiteAnswer(website: Website, usage: UsageAnswer): WebsiteAnswer {
  const { id, name, domain, timezone, contingent, createdAt, deletingSince } = website;
  return {
    id,
    name,
    domain,
    timezone,
    contingent,
    usage,
    shownDomain: shown(domain),
    createdAt: toIso(createdAt),
    isDeleting: deletingSince !== null,
  };
}

/** Includes only what a stranger with the public link may know. */
export function toShareAnswer({ id, name, domain, timezone }: Website, demoRecords: number): ShareAnswer {
  return { website: { id, name, shownDomain: shown(domain), timezone }, demoRecords };
}

export function toSettingsAnswer(parts: {
  website: Website;
  usage: UsageAnswer;
  key: KeyFacts;
  lastUsedAt: number | null;
  shareToken: string | undefined;
  lastRetentionAt: number | null;
}): WebsiteSettingsAnswer {
  const { website, usage, key, lastUsedAt, shareToken, lastRetentionAt } = parts;
  return {
    ...toWebsiteAnswer(website, usage),
    version: website.version,
    retentionDays: website.retentionDays,
    ignoreTrailingSlash: website.ignoreTrailingSlash,
    ignoreCase: website.ignoreCase,
    ignoreWww: website.ignoreWww,
    readOrigins: [...website.readOrigins],
    exclusions: [...website.exclusions],
    retention: { lastRunAt: toIsoOrNull(lastRetentionAt) },
    key: {
      masked: `${key.apiKey.slice(0, 4)}${'•'.repeat(key.apiKey.length - 8)}${key.apiKey.slice(-4)}`,
      createdAt: toIso(key.createdAt),
      lastUsedAt: toIsoOrNull(lastUsedAt),
      oldKeyUntil: toIsoOrNull(key.oldKeyUntil),
    },
    share: {
      isOn: shareToken !== undefined,
      path: shareToken === undefined ? null : `/share/${shareToken}`,
    },
  };
}

export function toRequestAnswer(request: RecentRequest): RecentRequestAnswer {
  const { atMs, kind, code, message, isRepeat, isExcluded = false, summary, shape } = request;
  return {
    at: toIso(atMs),
    kind,
    code,
    message,
    ...(isRepeat && { isRepeat }),
    ...(isExcluded && { isExcluded }),
    understood: summary ?? null,
    shape: shape ?? null,
  };
}

export function toUnknownSenderAnswer({ atMs, kind, message }: UnknownSender): UnknownSenderAnswer {
  return { at: toIso(atMs), kind, message };
}

export function toTokenAnswer({ id, name, createdAt, lastUsedAt }: ReadToken): ReadTokenAnswer {
  return { id, name, createdAt: toIso(createdAt), lastUsedAt: toIsoOrNull(lastUsedAt) };
}

export function toNoteAnswer({ id, day, text, author, createdAt }: Note): NoteAnswer {
  return { id, day, text, author, createdAt: toIso(createdAt) };
}

export function toFunnelAnswer({ id, name, steps, withinDays }: SavedFunnel): FunnelAnswer {
  return { id, name, steps: [...steps], withinDays };
}

export function toSegmentAnswer({ id, name, filters, userId }: SavedSegment): SegmentAnswer {
  return { id, name, filters, isPersonal: userId !== null };
}

export function toUserAnswer({ id, email, role, createdAt, lastSignInAt, websites }: User): UserAnswer {
  return {
    id,
    email,
    role,
    websites,
    createdAt: toIso(createdAt),
    lastSignInAt: toIsoOrNull(lastSignInAt),
  };
}

export function toAuditAnswer({ id, at, ...entry }: AuditEntry): AuditEntryAnswer {
  const { actor, action, websiteId, subject, detail } = entry;
  // A domain is stored in ASCII. People read it in their own script.
  const read = subject.includes('xn--') ? shown(subject) : subject;
  return { id, at: toIso(at), actor, action, websiteId, subject: read, detail };
}
