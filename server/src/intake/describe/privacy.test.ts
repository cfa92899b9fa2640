import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { times } from '../../../test/support/long-form.ts';
import { createDescriber, type Described } from './create-describer.ts';

const describeRecord = createDescriber({ cacheEntries: 100 });
const page = (pageUrl: string) =>
  describeRecord({ userAgent: '', pageUrl, referrer: null, domain: 'example.com' });

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('the query', () => {
  const cases: [query: string, cleaned: string][] = [
    ['color=red&size=M', 'color=red&size=M'],
    ['page=2&sort=price&keyword=turnips&author=ann', 'page=2&sort=price&keyword=turnips&author=ann'],
    ['a&b=&&c=1', 'a&b=&c=1'],
    ['id=7f1c2b9e-3a4d-4e5f-8a9b-0c1d2e3f4a5b', 'id=7f1c2b9e-3a4d-4e5f-8a9b-0c1d2e3f4a5b'],
    ['gclid=1&x=2&FBCLID=3&_hsenc=4&mc_eid=5&li_fat_id=6&_gl=7&srsltid=8', 'x=2'],
    ['token=abc', 'token=***'],
    [
      'access_token=abc&accessToken=d&reset-token=e&TOKEN=f',
      'access_token=***&accessToken=***&reset-token=***&TOKEN=***',
    ],
    [
      'key=a&api_key=b&apikey=c&apiKey=d&user[key]=e',
      'key=***&api_key=***&apikey=***&apiKey=***&user[key]=***',
    ],
    [
      'code=a&password=b&passwd=c&pwd=d&secret=e&auth=f',
      'code=***&password=***&passwd=***&pwd=***&secret=***&auth=***',
    ],
    [
      'session=a&sid=b&PHPSESSID=c&jwt=d&signature=e&sig=f',
      'session=***&sid=***&PHPSESSID=***&jwt=***&signature=***&sig=***',
    ],
    ['to%6ben=abc', 'to%6ben=***'],
    ['token=', 'token='],
    ['email=x&userEmail=y&e-mail=z', 'email=***&userEmail=***&e-mail=***'],
    ['q=jane@doe.org', 'q=***'],
    ['q=jane%40doe.org', 'q=***'],
    ['q=jane%2540doe%252Eorg', 'q=***'],
    ['q=jane%u0040doe.org', 'q=***'],
    ['q=%FFjane%40doe.org', 'q=***'],
    ['q=jane%EF%BC%A0doe.org', 'q=***'],
    ['q=mail+jane.doe%2Bx@m%C3%BCller.de+now', 'q=***'],
    ['q=amFuZUBkb2Uub3Jn', 'q=***'],
    ['q=%25252525252540', 'q=***'],
    ['jane@doe.org', '***'],
    ['jane%40doe.org=1', '***'],
    [`q=${jwt}`, 'q=***'],
    [`q=x_${jwt}`, 'q=***'],
    ['q=5f4dcc3b5aa765d61d8327deb882cf99', 'q=***'],
    ['next=https%3A%2F%2Fexample.com%2F%3Fpage%3D1%26reset_token%3Dabc', 'next=***'],
    ['next=https%3A%2F%2Fexample.com%2F%3Fpage%3D1', 'next=https%3A%2F%2Fexample.com%2F%3Fpage%3D1'],
    ['q=203.0.113.77', 'q=***'],
    ['q=from+203.0.113.77:443', 'q=***'],
    ['q=2001%3Adb8%3A%3A77', 'q=***'],
    ['q=[2001:db8::77]:443', 'q=***'],
    ['q=host:2001:db8::77', 'q=***'],
    ['ip=3405803853', 'ip=***'],
    ['at=12:30:45&v=1.2.3&cpp=std::vector', 'at=12:30:45&v=1.2.3&cpp=std::vector'],
    ['pkg=react@18.2.0&by=@jane', 'pkg=react@18.2.0&by=@jane'],
  ];
  for (const [query, cleaned] of cases) {
    test(`${query.slice(0, 70)} becomes ${cleaned.slice(0, 70) || 'empty'}`, () => {
      assert.equal(page(`https://example.com/?${query}`).query, cleaned);
    });
  }
});

describe('the path', () => {
  const cases: [path: string, cleaned: string][] = [
    ['/Blog/Post-1.html', '/Blog/Post-1.html'],
    ['/@jane/p/react@18.2.0', '/@jane/p/react@18.2.0'],
    ['/unsubscribe/jane@doe.org/now', '/unsubscribe/***/now'],
    ['/unsubscribe/jane%40doe.org', '/unsubscribe/***'],
    ['/whois/203.0.113.77', '/whois/***'],
    [`/magic/${jwt}`, '/magic/***'],
    ['/shop;jsessionid=1A2B/cart', '/***/cart'],
    ['/u/amFuZUBkb2Uub3Jn/x', '/u/***/x'],
  ];
  for (const [path, cleaned] of cases) {
    test(`${path.slice(0, 50)} becomes ${cleaned}`, () =>
      assert.equal(page(`https://example.com${path}`).path, cleaned));
  }
});

const bounds: Record<Exclude<keyof Described, 'isBot'>, number> = {
  host: 261,
  path: 2048,
  query: 2048,
  utmSource: 256,
  utmMedium: 256,
  utmCampaign: 256,
  utmTerm: 256,
  utmContent: 256,
  referrer: 2048,
  referrerHost: 255,
  source: 256,
  channel: 12,
  browser: 32,
  browserVersion: 8,
  os: 32,
  osVersion: 8,
  device: 8,
  bot: 64,
};

const emailAnywhere = /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/i;

function unwrap(text: string): string[] {
  const layers = [text];
  for (let i = 0; i < 6; i += 1) {
    layers.push(
      layers
        .at(-1)!
        .replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }
  return layers;
}

function checkDescribed(described: Described): void {
  for (const [field, maxChars] of Object.entries(bounds)) {
    const value = described[field as keyof typeof bounds];
    assert.ok(value.length <= maxChars, `${field} has ${value.length} characters`);
    assert.ok(value.isWellFormed(), `${field} has half a character`);
    for (const layer of unwrap(value)) assert.doesNotMatch(layer, emailAnywhere, field);
  }
}

// Makes troublesome pieces far more likely to meet than in random text.
const piece = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom(
    '@',
    '%40',
    '%2540',
    '.',
    'jane',
    'doe.org',
    'jane@doe.org',
    '%',
    '%25',
    '&',
    '=',
    '/',
    '?',
    '+',
    ';',
    ':',
    '1.2.3.4',
    'token',
    '::',
    'eyJ',
    'a'.repeat(300),
  ),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const query = fc
  .array(
    fc.tuple(fc.oneof(text, fc.constantFrom('utm_source', 'UTM_term', 'ref', 'source', 'gclid', 'q')), text),
    { maxLength: 6 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
const referrerStart = fc.constantFrom(
  'https://www.google.com/',
  'https://a:b@blog.org/',
  'android-app://',
  'foo://',
  'https://example.com/',
);

test('never throws, never passes on an email address, and stays within its bounds', () => {
  fc.assert(
    fc.property(
      text,
      text,
      query,
      referrerStart,
      text,
      query,
      (agent, path, search, start, rest, referrerQuery) => {
        const pageUrl = `https://example.com/${path}?${search}`;
        const referrer = `${start}${rest}?${referrerQuery}`;
        for (const userAgent of [agent, `Mozilla/5.0 (compatible; ${agent}bot/1.0)`]) {
          checkDescribed(describeRecord({ userAgent, pageUrl, referrer, domain: agent }));
        }
      },
    ),
    { numRuns: times(60, 600) },
  );
});

test('finds an address in a badly encoded text', () => {
  const pageUrl = 'https://example.com/?\u{45409}%2540doe.org%=';
  checkDescribed(describeRecord({ userAgent: '', pageUrl, referrer: pageUrl, domain: '' }));
});

test('finds every ordinary email address in query, path, tags and referrer, however often encoded', () => {
  const word = fc.stringMatching(/^[a-z\d]{1,12}$/);
  const address = fc
    .tuple(word, fc.constantFrom('', '.x', '+tag', '_y'), word, fc.constantFrom('com', 'co.uk', 'museum'))
    .map(([name, more, host, ending]) => `${name}${more}@${host}.${ending}`);
  fc.assert(
    fc.property(address, fc.nat({ max: 3 }), (email, layers) => {
      let encoded = email;
      for (let i = 0; i < layers; i += 1) encoded = encodeURIComponent(encoded);
      const query = `q=x${encoded}&utm_source=${encoded}&utm_content=a ${encoded}`;
      const url = `https://other.org/x-${encoded}/y?${query}`;
      const described = describeRecord({
        userAgent: email,
        pageUrl: url,
        referrer: url,
        domain: 'example.com',
      });
      assert.equal(described.path, '/***/y');
      assert.equal(described.query, 'q=***&utm_source=***&utm_content=***');
      assert.deepEqual([described.utmSource, described.utmContent], ['***', '***']);
      checkDescribed(described);
    }),
  );
});

test('finds every IP address in query, path, tags and referrer, plain or encoded', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6().filter((ip) => ip.split(':').length > 5 || /^[23]\w{3}:.*\d/.test(ip)),
  );
  const around = fc.constantFrom(
    ['', ''],
    ['from ', ' on'],
    ['ip:', ''],
    ['[', ']:443'],
    ['(', ').'],
    ['x=', ';y'],
  );
  fc.assert(
    fc.property(address, around, fc.boolean(), (ip, [before, after], isEncoded) => {
      const value = `${before}${ip}${after}`;
      const encoded = isEncoded ? encodeURIComponent(value) : value;
      const url = `https://other.org/a/${encoded}/y?q=${encoded}&utm_source=${encoded}`;
      const described = describeRecord({ userAgent: ip, pageUrl: url, referrer: url, domain: 'example.com' });
      assert.equal(described.path, '/a/***/y');
      assert.equal(described.query, 'q=***&utm_source=***');
      assert.equal(described.referrer, 'https://other.org/a/***/y?q=***&utm_source=***');
      assert.deepEqual([described.source, described.utmSource], ['', '***']);
      assert.ok(!described.bot.includes(ip));
    }),
    { numRuns: times(60, 500) },
  );
});

// Real bots, so that the marked text is also tried next to what the lists and their patterns look for.
const knownBots = (
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve('crawler-user-agents'), 'utf8')) as {
    instances: string[];
  }[]
).flatMap(({ instances }) => instances.slice(0, 1));

test('no part of a user agent becomes a value, wherever the text is', () => {
  // Four letters in a row that appear in no name on a list.
  const marker = fc.stringMatching(/^[A-Z][a-z]{2,7}( [A-Z][a-z]{2,7})?$/).map((words) => `Zqxj${words}Qzxk`);
  const written = fc.oneof(
    fc.constantFrom<(marked: string) => string>(
      (marked) => marked,
      (marked) => `${marked}/1.0`,
      (marked) => `${marked}bot/1.0 (+https://${marked}.example)`,
      (marked) => `bot ${marked}`,
      (marked) => `the crawler of ${marked}, Springfield`,
      (marked) => `Mozilla/5.0 (compatible; ${marked}Bot/2.0; +mailto:${marked})`,
      (marked) =>
        `Mozilla/5.0 (Windows NT ${marked}; Win64) AppleWebKit/537.36 Chrome/${marked} Safari/${marked}`,
      (marked) => `Mozilla/5.0 (Windows ${marked}; rv:${marked}) Gecko/20100101 Firefox/${marked}`,
      (marked) =>
        `Mozilla/5.0 (Linux; Android ${marked}; ${marked}) Chrome/126.0.${marked} Mobile Safari/537.36`,
      (marked) =>
        `Mozilla/5.0 (iPhone; CPU iPhone OS ${marked} like Mac OS X) Version/${marked} Safari/604.1`,
      (marked) => `Mozilla/5.0 (Macintosh; Intel Mac OS X ${marked}) Version/17.${marked} Safari/605.1.15`,
      (marked) =>
        `Mozilla/5.0 (PlayStation ${marked}; ${marked}) Instagram ${marked} FBAN/${marked};FBAV/${marked}`,
      (marked) => `Spider ${marked} spider.com`,
      (marked) => `ContextualBot ${marked} outcomes.net`,
    ),
    fc.tuple(fc.constantFrom(...knownBots), fc.nat({ max: 300 })).map(
      ([agent, at]) =>
        (marked: string) =>
          agent.slice(0, at) + marked + agent.slice(at),
    ),
  );
  fc.assert(
    fc.property(marker, written, (marked, write) => {
      const userAgent = write(marked);
      const input = { pageUrl: 'https://example.com/', referrer: 'https://blog.org/', domain: 'example.com' };
      for (const value of Object.values(describeRecord({ ...input, userAgent }))) {
        assert.doesNotMatch(String(value), /zqxj|qzxk/i, userAgent);
      }
      const { browserVersion, osVersion } = describeRecord({ ...input, userAgent });
      assert.match(browserVersion, /^(?:\d{1,4}(?:\.\d{1,3})?)?$/);
      assert.match(osVersion, /^(?:\d{1,4}(?:\.\d{1,3})?\+?|NT|XP|Vista)?$/);
    }),
    { numRuns: times(150, 1_500) },
  );
});
