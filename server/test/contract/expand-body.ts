import type { CaseFile, Repeat } from './case-file.ts';

const bodyForms = ['body', 'bodyText', 'bodyBase64', 'bodyRepeat'] as const;

/** Returns the bytes that a case sends, before any compression, or undefined if the request has no body. */
export function expandBody(request: CaseFile['request']): Buffer | undefined {
  const given = bodyForms.filter((form) => request[form] !== undefined);
  if (given.length > 1) throw new Error(`expected one body, got ${given.join(' and ')}`);
  const bytes = bytesOf(request);
  if (request.bodyBytes !== undefined && bytes?.length !== request.bodyBytes) {
    throw new Error(`expected a body of ${request.bodyBytes} bytes, got ${bytes?.length ?? 'none'}`);
  }
  return bytes;
}

export function expandRepeat({ before = '', text, times }: Repeat): string {
  return before + text.repeat(times);
}

function bytesOf({ body, bodyText, bodyBase64, bodyRepeat }: CaseFile['request']): Buffer | undefined {
  if (body !== undefined) return Buffer.from(JSON.stringify(expandValue(body)));
  if (typeof bodyText === 'string') return Buffer.from(bodyText);
  if (bodyText) {
    return Buffer.from(
      bodyText.map((part) => (typeof part === 'string' ? part : expandRepeat(part.$repeat))).join(''),
    );
  }
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64');
  return bodyRepeat && Buffer.from(expandRepeat(bodyRepeat));
}

function expandValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  if (members.length === 1 && members[0]?.[0] === '$repeat') {
    return expandRepeat(readDirective<Repeat>(members[0][1], ['text', 'times'], ['before']));
  }
  if (members.length === 1 && members[0]?.[0] === '$ago') {
    return spellAgo(readDirective<Ago>(members[0][1], ['seconds'], ['offset']));
  }
  // fromEntries defines own members, so `__proto__` stays data.
  return Object.fromEntries(
    members.flatMap(([name, member]) => {
      if (name === '$members') return expandMembers(member);
      if (name.startsWith('$')) throw new Error(`expected $repeat or $ago alone, or $members, got ${name}`);
      return [[name, expandValue(member)]];
    }),
  );
}

type Ago = { seconds: number; offset?: string };

/** Writes the time of this long ago, as a clock with this offset shows it. */
function spellAgo({ seconds, offset = 'Z' }: Ago): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const offsetMs = (sign === '-' ? -60_000 : 60_000) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  const local = new Date(Date.now() - seconds * 1000 + offsetMs).toISOString();
  return local.replace('Z', offset);
}

function expandMembers(member: unknown): [string, number][] {
  const { prefix, times } = readDirective<{ prefix: string; times: number }>(member, ['prefix', 'times'], []);
  return Array.from({ length: times }, (_, index) => [`${prefix}${index}`, index]);
}

function readDirective<T>(value: unknown, required: string[], optional: string[]): T {
  const names = Object.keys(value ?? {});
  const isComplete = required.every((name) => names.includes(name));
  const isKnown = names.every((name) => required.includes(name) || optional.includes(name));
  if (!isComplete || !isKnown) {
    throw new Error(`expected the members ${required.join(' and ')}, got ${names.join(', ') || 'none'}`);
  }
  return value as T;
}
