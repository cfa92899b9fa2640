import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { makeRequest } from '../visitor/test-request.ts';
import { completeLocation } from './complete-location.ts';
import { openMaxMind } from './open-maxmind.ts';
import { makeMmdb, type TestMmdb } from './test-mmdb.ts';

const unknown = completeLocation(undefined);
const zurich = {
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { iso_code: 'CH', geoname_id: 2658434, names: { en: 'Switzerland' } },
  registered_country: { iso_code: 'DE' },
  city: { names: { en: 'Zurich', de: 'Zürich' } },
  postal: { code: '8001' },
  location: { time_zone: 'Europe/Zurich', accuracy_radius: 20 },
  subdivisions: [
    { iso_code: 'ZH', names: { en: 'Zurich', de: 'Zürich' } },
    { iso_code: 'X', names: { en: 'Part' } },
  ],
};
const cityFile: TestMmdb = {
  ipVersion: 6,
  recordSize: 28,
  databaseType: 'GeoLite2-City',
  records: {
    '203.0.113.0/24': zurich,
    '2001:db8::/32': { country: { iso_code: 'JP' }, city: { names: { ja: '大府市' } } },
    '198.51.100.0/24': { registered_country: { iso_code: 'US' } },
    '10.0.0.0/8': { country: { iso_code: 'DE' } },
  },
};
const flatFile: TestMmdb = {
  ipVersion: 4,
  recordSize: 24,
  databaseType: 'ipv4-city',
  records: {
    '203.0.113.0/25': {
      country_code: 'CH',
      city: 'Zurich',
      state1: 'Zurich',
      postcode: '8001',
      timezone: 'Europe/Zurich',
    },
    '203.0.113.128/25': { country: 'CH', continent: 'EU', region: 'Zurich', region_code: 'ZH' },
    '198.51.100.0/24': {
      country_code: 'US',
      country: 'United States',
      continent: 'North America',
      continent_code: 'NA',
    },
    '192.0.2.0/24': { country_code: '-', city: '-' },
    // The first 32 bits of 2001:db8::, as an IPv4 address.
    '32.1.13.184/32': { country_code: 'US' },
  },
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trackside-mmdb-'));
});
after(() => rm(folder, { recursive: true }));

async function keep(name: string, content: Buffer): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

const locate = async (source: Awaited<ReturnType<typeof openMaxMind>>, ip: string) =>
  source(makeRequest(ip), ip);

async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await setTimeout(5);
}

// This test comes first, because the package stays loaded once it is imported.
test('says what to install when the package is missing', async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'maxmind') throw new Error("Cannot find package 'maxmind'");
      return next(specifier, context);
    },
  });
  try {
    await assert.rejects(openMaxMind('any.mmdb'), {
      message: 'openMaxMind: expected the package maxmind to be installed: npm install maxmind',
    });
  } finally {
    hooks.deregister();
  }
});

describe('a City database', () => {
  test('returns the whole location, for IPv4 and IPv6', async () => {
    const source = await openMaxMind(await keep('city.mmdb', makeMmdb(cityFile)));
    const expected = {
      ContinentCode: 'EU',
      CountryCode: 'CH',
      City: 'Zurich',
      PostalCode: '8001',
      Region: 'Zurich',
      RegionCode: 'ZH',
      Timezone: 'Europe/Zurich',
    };
    assert.deepEqual(await locate(source, '203.0.113.7'), expected);
    assert.deepEqual(await locate(source, '::ffff:203.0.113.7'), expected);
    const japan = { ...unknown, ContinentCode: 'AS', CountryCode: 'JP' };
    assert.deepEqual(await locate(source, '2001:db8:1::7'), japan);
  });

  test('returns names in another language if it has them', async () => {
    const file = await keep('city-de.mmdb', makeMmdb({ ...cityFile, recordSize: 24 }));
    const german = await locate(await openMaxMind(file, { language: 'de' }), '203.0.113.7');
    assert.deepEqual([german?.City, german?.Region], ['Zürich', 'Zürich']);
    assert.equal((await locate(await openMaxMind(file, { language: 'fr' }), '203.0.113.7'))?.City, 'Zurich');
    assert.equal((await locate(await openMaxMind(file, { language: 'ja' }), '2001:db8::1'))?.City, '大府市');
  });

  test('knows nothing about addresses that it lacks, private ones, and invalid ones', async () => {
    const source = await openMaxMind(await keep('city.mmdb', makeMmdb(cityFile)));
    for (const ip of [
      '192.0.2.1',
      '2001:db9::1',
      '10.1.2.3',
      '127.0.0.1',
      '::1',
      'fe80::1',
      '',
      'x',
      '203.0.113',
    ]) {
      assert.equal(await locate(source, ip), undefined, ip);
    }
  });

  test('does not mistake the country of an address’s registration for the visitor’s', async () => {
    const source = await openMaxMind(await keep('city.mmdb', makeMmdb(cityFile)));
    assert.equal(await locate(source, '198.51.100.1'), undefined);
  });
});

describe('a flat database', () => {
  test('is read in the spellings of its publishers', async () => {
    const source = await openMaxMind(await keep('flat.mmdb', makeMmdb(flatFile)));
    const switzerland = { ...unknown, ContinentCode: 'EU', CountryCode: 'CH', Region: 'Zurich' };
    assert.deepEqual(await locate(source, '203.0.113.7'), {
      ...switzerland,
      City: 'Zurich',
      PostalCode: '8001',
      Timezone: 'Europe/Zurich',
    });
    assert.deepEqual(await locate(source, '203.0.113.200'), { ...switzerland, RegionCode: 'ZH' });
    const america = { ...unknown, ContinentCode: 'NA', CountryCode: 'US' };
    assert.deepEqual(await locate(source, '198.51.100.1'), america);
    assert.equal(await locate(source, '192.0.2.1'), undefined);
  });

  test('with only IPv4 knows nothing about IPv6', async () => {
    const source = await openMaxMind(await keep('flat.mmdb', makeMmdb(flatFile)));
    assert.equal((await locate(source, '32.1.13.184'))?.CountryCode, 'US');
    assert.equal(await locate(source, '2001:db8::1'), undefined);
  });
});

describe('a file that cannot be used', () => {
  const whole = makeMmdb(cityFile);
  const cases: [name: string, content: Buffer | undefined, says: RegExp][] = [
    [
      'missing.mmdb',
      undefined,
      /missing\.mmdb, but there is no such file: download GeoLite2-City\.mmdb, or correct/,
    ],
    [
      'half.mmdb',
      whole.subarray(0, whole.length / 2),
      /half\.mmdb, got something else or an incomplete file: download it again/,
    ],
    ['empty.mmdb', Buffer.alloc(0), /got something else/],
    ['page.mmdb', Buffer.from('<html>Sign in</html>'), /got something else/],
    ['city.mmdb.gz', gzipSync(whole), /got a compressed file: unpack it first/],
    [
      'asn.mmdb',
      makeMmdb({ ...cityFile, databaseType: 'GeoLite2-ASN' }),
      /got GeoLite2-ASN: use a City or Country/,
    ],
  ];
  for (const [name, content, says] of cases) {
    test(`is refused with what to do: ${name}`, async () => {
      const file = content === undefined ? join(folder, name) : await keep(name, content);
      await assert.rejects(openMaxMind(file), says);
    });
  }

  test('is refused with what to do: a folder', async () => {
    await assert.rejects(openMaxMind(folder), /got a folder: use the path of the \.mmdb file in it/);
  });
});

test('switches to a newer file, and keeps the previous one if the newer is broken', async () => {
  const file = await keep('reload.mmdb', makeMmdb(cityFile));
  const faults: unknown[] = [];
  const onError = (fault: unknown) => faults.push(fault);
  const source = await openMaxMind(file, { reload: { intervalMs: 10 }, onError });
  assert.equal((await locate(source, '203.0.113.7'))?.CountryCode, 'CH');

  await writeFile(file, 'half a file');
  await until(() => faults.length > 0);
  assert.match(String(faults[0]), /download it again/);
  assert.equal((await locate(source, '203.0.113.7'))?.CountryCode, 'CH');

  const newer = { ...cityFile, records: { '203.0.113.0/24': { country: { iso_code: 'AT' } } } };
  await rename(await keep('next.mmdb', makeMmdb(newer)), file);
  await until(async () => (await locate(source, '203.0.113.7'))?.CountryCode === 'AT');
});

test('does not keep a process running to wait for newer files', async () => {
  const file = await keep('exit.mmdb', makeMmdb(cityFile));
  const module = JSON.stringify(new URL('./open-maxmind.ts', import.meta.url).href);
  const program = `
    const { openMaxMind } = await import(${module});
    await openMaxMind(process.argv[1], { reload: true });
    console.log('open');`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, file], {
    timeout: 300_000,
  });
  assert.equal((await run).stdout, 'open\n');
});
