import type { Exclusion, ExclusionKind } from '@trackside/contract/app/exclusion-kinds.ts';
import { type IpGroups, toIpGroups } from '@trackside/contract/tracking/ip-groups.ts';
import { type IpNetwork, isInNetwork, parseNetwork } from '@trackside/contract/tracking/ip-networks.ts';
import { type AddressRules, toPage, toPartOfPage } from '../../text/address-rules.ts';

/** What the rules look at. Members are computed when a rule needs them. */
export type ExcludableRecord = {
  readonly address: string;
  readonly userAgent: string;
  /** Null for a page view. */
  readonly event: string | null;
  readonly page: ExcludablePage;
};

export type ExcludablePage = {
  /** A bare host. */
  host: string;
  /** As it is stored. */
  path: string;
  /** In lower case. */
  queryNames: ReadonlySet<string>;
};

/** Returns the rule that a record matches. For `own-host`, its value is the host that is none of them. */
export type FindExclusion = (record: ExcludableRecord) => Exclusion | undefined;

type Test = (text: string) => Exclusion | undefined;

/** Prepares the rules of a website, so that a record is compared with sets and a few starts of texts. */
export function compileExclusions(rules: readonly Exclusion[], addresses: AddressRules): FindExclusion {
  const of = (kind: ExclusionKind) => rules.filter((rule) => rule.kind === kind);
  const tests: FindExclusion[] = [];
  const add = (kind: ExclusionKind, test: (rules: readonly Exclusion[]) => FindExclusion) => {
    const found = of(kind);
    if (found.length > 0) tests.push(test(found));
  };
  add('own-host', (hosts) => {
    const isOwn = testHosts(hosts);
    return ({ page: { host } }) =>
      isOwn(host) === undefined ? { kind: 'own-host', value: host } : undefined;
  });
  add('host', (hosts) => {
    const find = testHosts(hosts);
    return ({ page }) => find(page.host);
  });
  add('path', (paths) => {
    const find = testStarts(
      paths,
      (whole) => toPage(whole, addresses),
      (start) => toPartOfPage(start, addresses),
    );
    return ({ page }) => find(toPage(page.path, addresses));
  });
  add('query', (names) => {
    const lower = names.map((rule) => ({ rule, name: rule.value.toLowerCase() }));
    return ({ page }) => lower.find(({ name }) => page.queryNames.has(name))?.rule;
  });
  add('event', (names) => {
    const find = testStarts(names, asItIs, asItIs);
    return ({ event }) => (event === null ? undefined : find(event));
  });
  add('user-agent', (parts) => {
    const lower = parts.map((rule) => ({ rule, part: rule.value.toLowerCase() }));
    return ({ userAgent }) => {
      const text = userAgent.toLowerCase();
      return lower.find(({ part }) => text.includes(part))?.rule;
    };
  });
  add('network', testNetworks);
  return (record) => {
    for (const test of tests) {
      const found = test(record);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

const asItIs = (text: string) => text;

function testHosts(rules: readonly Exclusion[]): Test {
  const whole = new Map(rules.map((rule) => [rule.value, rule]));
  const ends = rules
    .filter(({ value }) => value.startsWith('*.'))
    .map((rule) => ({ rule, end: rule.value.slice(1) }));
  return (host) => whole.get(host) ?? ends.find(({ end }) => host.endsWith(end))?.rule;
}

/** A * at the end of a rule stands for anything, as in goals and funnels. */
function testStarts(
  rules: readonly Exclusion[],
  readWhole: (text: string) => string,
  readStart: (text: string) => string,
): Test {
  const whole = new Map(
    rules.filter(({ value }) => !value.endsWith('*')).map((rule) => [readWhole(rule.value), rule]),
  );
  const starts = rules
    .filter(({ value }) => value.endsWith('*'))
    .map((rule) => ({ rule, start: readStart(rule.value.slice(0, -1)) }));
  return (text) => whole.get(text) ?? starts.find(({ start }) => text.startsWith(start))?.rule;
}

function testNetworks(rules: readonly Exclusion[]): FindExclusion {
  const networks = rules.flatMap((rule): { rule: Exclusion; network: IpNetwork }[] => {
    const network = parseNetwork(rule.value);
    return network === undefined ? [] : [{ rule, network }];
  });
  return ({ address }) => {
    const groups: IpGroups | undefined = toIpGroups(address);
    return groups && networks.find(({ network }) => isInNetwork(groups, network))?.rule;
  };
}
