/** What a browser, or somebody who pretends to be one, sends to the endpoint of a program. */
export type HostileCase = {
  name: string;
  /** Members of the form in addition to the usual ones; null removes one. */
  form?: Record<string, string | null>;
  /** Sent unchanged in place of the form. */
  body?: string;
  /** Headers in addition to the usual ones; null removes one. Each character is one byte. */
  headers?: Record<string, string | null>;
  /** The values of the record that differ from the usual ones, or null if there is no record. */
  expected: Partial<Values> | null;
};

/** The values of a record that programs derive from a request. */
export type Values = {
  ip: string;
  userAgent: string;
  language: string;
  country: string | null;
  page: string;
  referrer: string | null;
  width: number;
  height: number;
};

/** Each case has its own page, by which its record is recognized. */
export const pageOf = (name: string): string => `https://snippets.test/${name.replaceAll(' ', '-')}`;

const language = (name: string, sent: string | null, header: string | null, code: string): HostileCase => ({
  name,
  form: { language: sent },
  headers: { 'accept-language': header },
  expected: { language: code },
});
const country = (sent: string, code: string | null): HostileCase => ({
  name: `country ${sent}`,
  headers: { 'cf-ipcountry': sent },
  expected: { country: code },
});
const address = (name: string, sent: string | null, ip: string | null): HostileCase => ({
  name,
  headers: { 'x-forwarded-for': sent },
  expected: ip === null ? null : { ip },
});
const changed = (name: string, end: string, expectedEnd = end): HostileCase => ({
  name,
  form: { page: `${pageOf(name)}${end}` },
  expected: { page: `${pageOf(name)}${expectedEnd}` },
});

export const hostileCases: readonly HostileCase[] = [
  { name: 'ordinary', expected: {} },

  country('DE', 'DE'),
  country('XX', null),
  country('T1', null),
  country('', null),
  country('Germany', null),

  language('Filipino', 'fil-PH', 'en-US', 'en'),
  language('Filipino first', null, 'fil-PH, de;q=0.8', 'de'),
  language('language of a header', '', 'pt-BR,pt;q=0.9', 'pt'),
  language('no language', null, null, 'en'),
  language('empty language', '', '', 'en'),
  language('one letter', 'x', null, 'en'),
  language('no letters', ';;;q=,*', null, 'en'),
  language('long language', 'a'.repeat(9000), null, 'en'),

  address('port', '203.0.113.9:5555', '203.0.113.9'),
  address('zone', 'fe80::1%eth0', 'fe80::1'),
  address('brackets', '[2001:db8::7]:443', '2001:db8::7'),
  address('forged address', '198.51.100.1, 203.0.113.8', '203.0.113.8'),
  address('no address', 'unknown', null),
  address('past the proxy', null, null),

  {
    name: 'long user agent',
    headers: { 'user-agent': 'Mozilla/5.0 '.repeat(300) },
    expected: { userAgent: 'Mozilla/5.0 '.repeat(300).slice(0, 2048) },
  },
  { name: 'no user agent', headers: { 'user-agent': null }, expected: { userAgent: '' } },
  { name: 'no host', headers: { host: null }, expected: {} },

  changed('broken percent', '/100%/%zz'),
  changed('control characters', '/a\u0000\u0007\u001b[31mb"\\c'),
  changed('other alphabets', '/über/日本?q=😀'),
  changed(
    'long page',
    `?${'q'.repeat(9000)}`,
    `?${'q'.repeat(9000)}`.slice(0, 8192 - pageOf('long page').length),
  ),

  { name: 'no page', form: { page: null }, expected: null },
  { name: 'page of a script', form: { page: 'javascript:alert(1)' }, expected: null },
  { name: 'page without host', form: { page: 'https:///path' }, expected: null },
  { name: 'broken form', body: 'page=%zz&language=%', expected: null },
  { name: 'no form', body: '', expected: null },
  { name: 'bytes', body: '\u00ff\u00fe\u0000=\u0000&&==&page', expected: null },

  { name: 'lists', form: { 'language[]': 'de', 'referrer[a]': 'x' }, expected: {} },
  {
    name: 'referrer',
    form: { referrer: 'https://www.google.com/' },
    expected: { referrer: 'https://www.google.com/' },
  },
  {
    name: 'app as referrer',
    form: { referrer: 'android-app://com.example/' },
    expected: { referrer: 'android-app://com.example/' },
  },
  { name: 'script as referrer', form: { referrer: 'javascript:alert(1)' }, expected: {} },
  {
    name: 'large screen',
    form: { screenWidth: '1e999', screenHeight: '9'.repeat(40) },
    expected: { width: 0, height: 0 },
  },
  { name: 'no screen', form: { screenWidth: null, screenHeight: '-5' }, expected: { width: 0, height: 0 } },
];

const ordinaryUserAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Returns the request as bytes. HTTP/1.0, because a later version requires a Host. */
export function writeRequest({ name, form, body, headers }: HostileCase, path = '/side'): Buffer {
  const members = { ...ordinaryForm, page: pageOf(name), ...form };
  const written = Object.entries(members).filter((member): member is [string, string] => member[1] !== null);
  const content = Buffer.from(body ?? new URLSearchParams(written).toString(), 'latin1');
  const lines = Object.entries({
    host: 'snippets.test',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(content.length),
    'user-agent': ordinaryUserAgent,
    'x-forwarded-for': '203.0.113.7',
    ...headers,
  }).flatMap(([header, value]) => (value === null ? [] : [`${header}: ${value}\r\n`]));
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.0\r\n${lines.join('')}\r\n`, 'latin1'), content]);
}

const ordinaryForm: Record<string, string | null> = {
  language: 'en-US',
  referrer: '',
  screenWidth: '1920',
  screenHeight: '1080',
};

export const expectedValues = ({ name, expected }: HostileCase): Values => ({
  ip: '203.0.113.7',
  userAgent: ordinaryUserAgent,
  language: 'en',
  country: null,
  page: pageOf(name),
  referrer: null,
  width: 1920,
  height: 1080,
  ...expected,
});
