import { readFileSync } from 'node:fs';

/** A text, or a short form of a long one. */
type Text = string | { before?: string; repeat: string; times: number; after?: string };

/** A case as it is written in `clients/cases`. The README beside it explains each member. */
type CaseFile = {
  title: string;
  settings?: Record<string, unknown>;
  request?: {
    method?: string;
    target?: Text;
    peer?: string | null;
    /** Several values stand for a header that came several times. Null removes one that is there by default. */
    headers?: Record<string, Text | Text[] | null>;
    body?: unknown;
  };
  answer?: { status?: number; contentType?: string | null };
  expected: ExpectedRecord | null | { status: number; record: ExpectedRecord | null };
};

type Location = Record<string, string | null>;

/** What was recorded. A member that a case leaves out has the value of an ordinary request. */
type ExpectedRecord = {
  ip?: string;
  userAgent?: Text;
  language?: string;
  page?: string;
  referrer?: string | null;
  width?: number;
  height?: number;
  location?: Location;
  name?: string;
  parameters?: { Name: string; Value: string }[];
};

/** A case as it is given to a client: nothing is left out, and long texts are expanded. */
export type ClientCase = {
  kind: 'page' | 'endpoint';
  title: string;
  settings: Record<string, unknown>;
  request: {
    method: string;
    scheme: 'http';
    target: string;
    peer: string | null;
    /** In the order in which they came. Each character of a value is one byte. */
    headers: [name: string, value: string][];
    body: string;
  };
  answer: { status: number; contentType: string | null };
};

/** What a client says about a case: the endpoint's status, and the record that it would send. */
export type Outcome = { status: number | null; record: { path: string; body: unknown } | null };

const origin = 'http://shop.example';
const ordinaryPage = '/shoes?size=42';
const peer = '203.0.113.7';

/** Returns the cases of a file, with what a client has to make of them. */
export function loadCases(kind: ClientCase['kind']): { given: ClientCase; expected: Outcome }[] {
  const file = new URL(`../cases/${kind === 'page' ? 'headers' : 'endpoint'}.json`, import.meta.url);
  const cases: CaseFile[] = JSON.parse(readFileSync(file, 'utf8'));
  return cases.map((written) => ({
    given: expandCase(kind, written),
    expected: expandExpected(kind, written.expected),
  }));
}

function expandCase(kind: ClientCase['kind'], written: CaseFile): ClientCase {
  const { title, settings = {}, request = {}, answer = {} } = written;
  const ordinary: Record<string, Text> = { host: 'shop.example' };
  if (kind === 'endpoint') ordinary.origin = origin;
  const headers = Object.entries({ ...ordinary, ...request.headers }).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((each): [string, string] => [name, expandText(each)]),
  );
  return {
    kind,
    title,
    settings,
    request: {
      method: request.method ?? (kind === 'page' ? 'GET' : 'POST'),
      scheme: 'http',
      target: expandText(request.target ?? (kind === 'page' ? ordinaryPage : '/side')),
      peer: request.peer === undefined ? peer : request.peer,
      headers,
      body: expandBody(request.body),
    },
    answer: {
      status: answer.status ?? 200,
      contentType: answer.contentType === undefined ? 'text/html' : answer.contentType,
    },
  };
}

/** A text is the body itself. Anything else is written as JSON, with long texts expanded. */
function expandBody(body: unknown): string {
  if (body === undefined) return '';
  if (typeof body === 'string') return body;
  if (isLongText(body)) return expandText(body);
  return JSON.stringify(body, (_name, value) => (isLongText(value) ? expandText(value) : value));
}

const isLongText = (value: unknown): value is Exclude<Text, string> =>
  typeof value === 'object' && value !== null && 'repeat' in value && 'times' in value;

function expandText(text: Text): string {
  if (typeof text === 'string') return text;
  return `${text.before ?? ''}${text.repeat.repeat(text.times)}${text.after ?? ''}`;
}

function expandExpected(kind: ClientCase['kind'], expected: CaseFile['expected']): Outcome {
  if (expected !== null && 'status' in expected) {
    return { status: expected.status, record: expected.record && expandRecord(kind, expected.record) };
  }
  return { status: null, record: expected && expandRecord(kind, expected) };
}

const unknownPlace: Location = {
  ContinentCode: null,
  CountryCode: null,
  City: null,
  PostalCode: null,
  Region: null,
  RegionCode: null,
  Timezone: null,
};

function expandRecord(kind: ClientCase['kind'], record: ExpectedRecord): Outcome['record'] {
  const ordinary = kind === 'page' ? { page: ordinaryPage, width: 0 } : { page: '/', width: 1920 };
  const metrics = {
    Browser: { IP: record.ip ?? peer, UserAgent: expandText(record.userAgent ?? '') },
    Identify: { ClientId: null },
    Language: { Code: record.language ?? 'en' },
    Page: { Absolute: record.page ?? `${origin}${ordinary.page}` },
    Referrer: { Absolute: record.referrer ?? null },
    Screen: {
      Width: record.width ?? ordinary.width,
      Height: record.height ?? (kind === 'page' ? 0 : 1080),
    },
    Location: { ...unknownPlace, ...record.location },
  };
  if (record.name === undefined) return { path: '/api/page-view', body: { Metrics: metrics } };
  const event = { Name: record.name, Parameters: record.parameters ?? [], Metrics: metrics };
  return { path: '/api/event-view', body: event };
}
