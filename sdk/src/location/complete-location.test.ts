import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { continentCodes, isCountryCode } from '@trackside/contract/tracking/field-rules.ts';
import { findFaults } from '@trackside/contract/tracking/find-faults.ts';
import fc from 'fast-check';
import type { Location } from '../record/metrics.ts';
import { completeLocation } from './complete-location.ts';
import { continentOfCountry } from './continent-of-country.ts';

const locationRules = bodyRules.pageView.Metrics.Location;
const unknown = completeLocation(undefined);
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode);

test('has every member, and null for unknown values', () => {
  const members = ['ContinentCode', 'CountryCode', 'City', 'PostalCode', 'Region', 'RegionCode', 'Timezone'];
  assert.deepEqual(unknown, Object.fromEntries(members.map((member) => [member, null])));
  assert.deepEqual(completeLocation({}), unknown);
  assert.deepEqual(completeLocation(null as unknown as undefined), unknown);
});

test('turns placeholders and invalid codes into null', () => {
  for (const code of ['XX', 'T1', 'EU', 'AP', 'ZZ', 'A1', '', ' ', 'D', 'DEU', '-', '??', 'ſs', 'UK']) {
    assert.equal(completeLocation({ CountryCode: code }).CountryCode, null, code);
  }
  for (const code of ['XX', 'T1', '', 'Europe', 'eur'] as unknown as Location['ContinentCode'][]) {
    assert.equal(completeLocation({ ContinentCode: code! }).ContinentCode, null, String(code));
  }
  for (const City of ['', '  ', '-', '?', 'unknown', 'Unknown', 'null', '\0\t']) {
    assert.equal(completeLocation({ City }).City, null, City);
  }
});

test('writes codes in uppercase', () => {
  assert.deepEqual(completeLocation({ CountryCode: ' de ' }), {
    ...unknown,
    ContinentCode: 'EU',
    CountryCode: 'DE',
  });
  const lower = { ContinentCode: 'na' as 'NA' };
  assert.equal(completeLocation(lower).ContinentCode, 'NA');
});

test('derives the continent from the country only if it is missing', () => {
  assert.equal(completeLocation({ CountryCode: 'JP' }).ContinentCode, 'AS');
  assert.equal(completeLocation({ CountryCode: 'TR', ContinentCode: 'EU' }).ContinentCode, 'EU');
  assert.equal(completeLocation({ CountryCode: 'XX', ContinentCode: 'EU' }).ContinentCode, 'EU');
});

test('knows a continent for every country, and for nothing else', () => {
  assert.equal(countries.length, 250);
  for (const first of letters) {
    for (const second of letters) {
      const continent = continentOfCountry(first + second);
      if (isCountryCode(first + second)) assert.ok(continentCodes.includes(continent!), first + second);
      else assert.equal(continent, undefined, first + second);
    }
  }
  const places = {
    DE: 'EU',
    RU: 'EU',
    CY: 'EU',
    XK: 'EU',
    TR: 'AS',
    GE: 'AS',
    EG: 'AF',
    RE: 'AF',
    GL: 'NA',
    PA: 'NA',
  };
  const others = {
    CO: 'SA',
    FK: 'SA',
    GF: 'SA',
    HI: undefined,
    GU: 'OC',
    TL: 'OC',
    AQ: 'AN',
    TF: 'AN',
    NA: 'AF',
    AS: 'OC',
  };
  for (const [country, continent] of Object.entries({ ...places, ...others })) {
    assert.equal(continentOfCountry(country), continent, country);
  }
  assert.equal(continentOfCountry('E F'), undefined);
});

test('cuts texts to the lengths of the interface, but never in the middle of a character', () => {
  const long = completeLocation({
    City: 'é'.repeat(300),
    PostalCode: '1'.repeat(65),
    RegionCode: '😀'.repeat(40),
  });
  assert.equal(long.City?.length, 256);
  assert.equal(long.PostalCode?.length, 64);
  assert.equal(long.RegionCode, '😀'.repeat(32));
  assert.equal(completeLocation({ Region: `a${'😀'.repeat(200)}` }).Region, `a${'😀'.repeat(127)}`);
});

test('removes control characters and needless white space', () => {
  assert.equal(completeLocation({ City: '\u0007 New\r\n\tYork\u009f ' }).City, 'New York');
});

test('is accepted by the interface, whatever was found', () => {
  const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anyValue = fc.anything({ maxDepth: 1, maxKeys: 2 });
  const value = fc.oneof(
    anyValue,
    fc.string({ unit: anyCharacter, maxLength: 600 }),
    fc.constantFrom('DE', 'de', 'XX', 'EU', 'T1', 'x'.repeat(2000), '😀'.repeat(400)),
  );
  const found = fc.oneof(
    anyValue,
    fc.record(Object.fromEntries(Object.keys(locationRules).map((member) => [member, value])), {
      requiredKeys: [],
    }),
  );
  fc.assert(
    fc.property(found, (anything) => {
      const location = completeLocation(anything as Location);
      assert.equal(findFaults(locationRules, location), undefined);
      assert.deepEqual(completeLocation(location), location);
    }),
    { numRuns: 500 },
  );
});
