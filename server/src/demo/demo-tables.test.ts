import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { continentCode, countryCode, languageCode } from '@trackside/contract/tracking/field-rules.ts';
import { createDescriber } from '../intake/describe/create-describer.ts';
import { type DeviceClass, demoAgents, versionsAt } from './demo-agents.ts';
import { demoCrawlers } from './demo-crawlers.ts';
import { demoCountries } from './demo-locations.ts';
import { demoOrigins } from './demo-origins.ts';
import { continuations, documentation, entrances } from './demo-pages.ts';

const describeRecord = createDescriber({ cacheEntries: 1000 });
const domain = 'demo.trackside.test';
const describeVisit = (userAgent: string, referrer: string | null = null, query = '') =>
  describeRecord({ userAgent, pageUrl: `https://${domain}/${query}`, referrer, domain });

describe('the browsers', () => {
  for (const device of Object.keys(demoAgents) as DeviceClass[]) {
    test(`of the class ${device} are recognized as people's, with browser and system`, () => {
      const versions = versionsAt(Date.parse('2026-03-10T09:00:00Z'));
      for (const [, agent] of demoAgents[device]) {
        const described = describeVisit(agent.userAgent(versions));
        assert.equal(described.device, device, agent.userAgent(versions));
        assert.equal(described.isBot, false);
        assert.match(described.browser, /./);
        assert.match(described.browserVersion, /^\d/);
        assert.match(described.os, /./);
      }
    });
  }

  test('get new versions over the year', () => {
    assert.deepEqual(versionsAt(Date.parse('2025-11-12T00:00:00Z')), {
      chrome: 142,
      firefox: 145,
      safari: '26.1',
    });
    const later = versionsAt(Date.parse('2026-09-20T00:00:00Z'));
    assert.deepEqual(later, { chrome: 153, firefox: 156, safari: '27.0' });
  });
});

test('every bot is recognized by its name', () => {
  for (const [, { name, userAgent }] of demoCrawlers) {
    const described = describeVisit(userAgent);
    assert.deepEqual({ isBot: described.isBot, bot: described.bot }, { isBot: true, bot: name });
  }
});

test('every place has a country, languages and a timezone that exist', () => {
  for (const [, { code, continent, languages, places }] of demoCountries) {
    assert.equal(countryCode(code), undefined);
    assert.equal(continentCode(continent), undefined);
    for (const [, place] of places) {
      new Intl.DateTimeFormat('en', { timeZone: place.timezone });
      for (const [, language] of place.languages ?? languages)
        assert.equal(languageCode(language), undefined);
    }
  }
});

test('every source belongs to the channel that it is listed under', () => {
  for (const [kind, weighted] of Object.entries(demoOrigins)) {
    for (const [, { referrer, query }] of weighted) {
      const described = describeVisit('', referrer, query === undefined ? '' : `?${query}`);
      // People who come from videos behave like those from social networks.
      const channel = described.channel === 'video' ? 'social' : described.channel;
      assert.equal(channel, kind, String(referrer));
      assert.equal(described.source === '', kind === 'direct', String(referrer));
    }
  }
});

test('every page leads to another', () => {
  const destinations = [...Object.values(entrances), ...Object.values(continuations)].flat();
  for (const [, destination] of destinations) {
    const isGroup = !destination.startsWith('/') || /^\/(docs|blog)\//.test(destination);
    assert.ok(isGroup || Object.hasOwn(continuations, destination), destination);
  }
  for (const [, path] of documentation) assert.match(path, /^\/docs/);
});
