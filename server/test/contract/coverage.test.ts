import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContractCase, loadCases } from './load-cases.ts';

type Row = {
  about: string;
  /** Why no accepted case can exist. */
  noneAccepted?: string;
  /** Why no refused case can exist. */
  noneRefused?: string;
};

/** Every row of the interface's tables, and every rule beside them that one request can show. */
const rows: Row[] = [
  { about: 'Metrics' },
  { about: 'Metrics.Browser' },
  { about: 'Metrics.Browser.IP' },
  { about: 'Metrics.Browser.UserAgent' },
  { about: 'Metrics.Identify' },
  { about: 'Metrics.Identify.ClientId' },
  { about: 'Metrics.Language' },
  { about: 'Metrics.Language.Code' },
  { about: 'Metrics.Page' },
  { about: 'Metrics.Page.Absolute' },
  { about: 'Metrics.Referrer' },
  { about: 'Metrics.Referrer.Absolute' },
  { about: 'Metrics.Screen' },
  { about: 'Metrics.Screen.Height' },
  { about: 'Metrics.Screen.Width' },
  { about: 'Metrics.Location' },
  { about: 'Metrics.Location.ContinentCode' },
  { about: 'Metrics.Location.CountryCode' },
  { about: 'Metrics.Location.City' },
  { about: 'Metrics.Location.PostalCode' },
  { about: 'Metrics.Location.Region' },
  { about: 'Metrics.Location.RegionCode' },
  { about: 'Metrics.Location.Timezone' },
  { about: 'Name' },
  { about: 'Parameters' },
  { about: 'Parameters[].Name' },
  { about: 'Parameters[].Value' },
  { about: 'OccurredAt' },
  { about: 'Method', noneAccepted: 'every accepted case is a POST, so none is about the method' },
  { about: 'Path' },
  { about: 'Headers' },
  { about: 'Authorization' },
  { about: 'Idempotency-Key' },
  { about: 'Trackside-Attempt', noneRefused: 'no value is ever a reason to refuse' },
  { about: 'Trackside-Sequence' },
  { about: 'Trackside-Release' },
  { about: 'Trackside-Dry-Run', noneAccepted: 'a dry run is judged, and never accepted' },
  {
    about: 'Exclusions',
    noneAccepted: 'an excluded record is answered, and not accepted',
    noneRefused: 'a rule never refuses a record',
  },
  { about: 'Monthly contingent' },
  { about: 'Contingent headers' },
  { about: 'Order of verdicts', noneAccepted: 'an accepted record has one verdict, so nothing has an order' },
  { about: 'Several faults', noneAccepted: 'one fault is enough for a refusal' },
  { about: 'Body' },
  { about: 'Body in UTF-8' },
  { about: 'Body size' },
  { about: 'Content-Type', noneRefused: 'no content type is ever a reason to refuse' },
  { about: 'Content-Encoding' },
  { about: 'Transfer-Encoding' },
  { about: 'Expect' },
  { about: 'Member names' },
  { about: 'Unknown members' },
  { about: 'Duplicate members' },
  { about: 'Records' },
  { about: 'Records[]' },
  { about: 'IdempotencyKey' },
  { about: 'Sequence' },
  { about: 'Batch size' },
  { about: 'Lone surrogates', noneRefused: 'they are replaced, never refused' },
];

const singleCodes = [200, 400, 401, 405, 429];
const codesByEndpoint = {
  '/api/page-view': singleCodes,
  '/api/event-view': singleCodes,
  '/api/batch': [200, 207, 400, 401, 405],
};
/** Every other path answers 404. */
const documentedCodes = [200, 207, 400, 401, 404, 405, 429];

const casesAbout = (cases: readonly ContractCase[], about: string, verdict: ContractCase['verdict']) =>
  cases.filter((one) => one.about === about && one.verdict === verdict);

test('every row of the interface has an accepted and a refused case, or a reason why not', () => {
  const cases = loadCases();
  for (const { about, noneAccepted, noneRefused } of rows) {
    const accepted = casesAbout(cases, about, 'accepted').length;
    const refused = casesAbout(cases, about, 'refused').length;
    assert.equal(accepted === 0, noneAccepted !== undefined, `${about}: ${accepted} accepted cases`);
    assert.equal(refused === 0, noneRefused !== undefined, `${about}: ${refused} refused cases`);
  }
});

test('every case is about a row of the interface', () => {
  const known = new Set(rows.map(({ about }) => about));
  const strays = loadCases().filter(({ about }) => !known.has(about));
  assert.deepEqual(
    strays.map(({ file, about }) => `${file}: ${about}`),
    [],
  );
});

test('every code that one request can cause has a case on each endpoint', () => {
  const cases = loadCases();
  const codes = new Set(cases.map(({ answer }) => answer.code));
  assert.deepEqual([...codes].sort(), documentedCodes);
  for (const [path, ofPath] of Object.entries(codesByEndpoint)) {
    for (const code of ofPath) {
      const found = cases.some(({ request, answer }) => request.path === path && answer.code === code);
      assert.ok(found, `expected a case with ${code} on ${path}`);
    }
  }
});

test('every refused field names a row of the interface by its path', () => {
  const known = new Set([...rows.map(({ about }) => about), 'Parameters[]']);
  for (const { file, answer } of loadCases()) {
    for (const { field } of [answer, ...(answer.results ?? [])])
      if (field) assert.ok(known.has(field.replace(/\[\d+\]/, '[]')), `${file}: ${field}`);
  }
});
