import { hash } from 'node:crypto';
import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import type { Admitted } from '../intake/contingent/contingent.ts';
import { createDescriber } from '../intake/describe/create-describer.ts';
import { createIdentify } from '../intake/steps/identify.ts';
import { createReceivedOrder, createToPayload } from '../intake/steps/to-payload.ts';
import { plainRules } from '../text/address-rules.ts';
import { shownHost } from '../text/shown-host.ts';
import type { DemoRecord } from './make-visit.ts';

export type DemoWebsite = { id: number; domain: string; timezone: string };

const cacheEntries = 20_000;

/**
 * Creates a function that turns a record into a row the way intake does, from `identify` on, so that a demo
 * has the rows that the server would have written. Salts and secrets come from the seed, because there is
 * nobody to protect here.
 */
export function createRowWriter(demoWebsite: DemoWebsite, seed: number): (record: DemoRecord) => string {
  const secretOf = (name: string) => hash('sha256', `${seed} ${name}`, 'hex');
  const website: Admitted['website'] = {
    ...demoWebsite,
    contingent: null,
    createdAt: 0,
    clientIdKey: secretOf('clients'),
    name: demoWebsite.domain,
    version: 1,
    retentionDays: null,
    readOrigins: [],
    exclusions: [],
    deletingSince: null,
    ...plainRules,
  };
  const salts = new Map<string, string>();
  const saltOf = (day: string) => {
    let salt = salts.get(day);
    if (salt === undefined) {
      salt = secretOf(day);
      salts.set(day, salt);
    }
    return salt;
  };
  const identify = createIdentify({ byDate: { get: saltOf }, askForMissing() {} });
  const describe = createDescriber({ cacheEntries });
  const toPayload = createToPayload();
  const orderOf = createReceivedOrder();
  const place = { websiteId: website.id, month: '', reserved: 0, settled: 0, elsewhere: 0, refused: 0 };

  return ({ atMs, valid }) => {
    const identified = identify({ website, valid, receivedAtMs: atMs, waitedMs: 0, place });
    if ('refused' in identified) throw new Error(identified.message);
    const { Page, Referrer, Browser } = valid.body.Metrics;
    const described = describe({
      userAgent: Browser.UserAgent,
      pageUrl: Page.Absolute,
      referrer: Referrer.Absolute || null,
      domain: website.domain,
    });
    // These rows go to the store as they are, where the loader would decode them.
    const host = shownHost(described.host);
    const path = shownPath(described.path);
    return toPayload(identified, { ...described, host, path }, orderOf(identified.receivedAtMs));
  };
}
