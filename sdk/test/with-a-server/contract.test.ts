import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContractCase, loadCases } from '../../../server/test/contract/load-cases.ts';
import { useTracksideHereOfProcess } from '../../../server/test/support/share-trackside.ts';
import { type Metrics, type Result, Trackside } from '../../src/client/trackside.ts';
import { caseWebsites, keyOf, leftOut, readBody, reasonToLeaveOut } from '../sendable-cases.ts';

/** The fewest cases that must go through the SDK, so that none drops out unnoticed. */
const fewestCases = { accepted: 125, refused: 184 };

const startShared = useTracksideHereOfProcess();

test('the SDK keeps the contract', { concurrency: 8 }, async (t) => {
  const server = await startShared();
  const origin = server.origin();
  const keys = {} as Record<keyof typeof caseWebsites, string>;
  for (const [domain, contingent] of Object.entries(caseWebsites))
    keys[domain as keyof typeof keys] = (await server.addWebsite(domain, contingent)).apiKey;

  /** Returns the server's own answer to these bytes. */
  const ask = async (path: string, key: string, body: string | Buffer) => {
    const answer = await fetch(origin + path, { method: 'POST', headers: { authorization: key }, body });
    return (await answer.json()) as { Code: number; Message: string };
  };

  /** Makes a client that talks to the server, and keeps what it sent. */
  const makeClient = (apiKey: string) => {
    const wire: { path: string; body: unknown }[] = [];
    const trackside = new Trackside({
      url: origin,
      apiKey,
      fetch: (input, init) => {
        wire.push({ path: String(input).slice(origin.length), body: JSON.parse(String(init?.body)) });
        return fetch(input, init);
      },
    });
    return { trackside, wire };
  };

  const send = (trackside: Trackside, contractCase: ContractCase): Promise<Result> => {
    const { Metrics, Name, Parameters } = readBody(contractCase);
    if (contractCase.request.path === '/api/page-view') return trackside.pageView(Metrics);
    return trackside.event(Name, Parameters, Metrics);
  };

  async function checkAccepted(contractCase: ContractCase): Promise<void> {
    const { trackside, wire } = makeClient(keyOf(contractCase, keys));
    const result = await send(trackside, contractCase);
    assert.deepEqual([result.kind, result.code, result.message], ['accepted', 200, 'Success']);
    assert.deepEqual(wire, [{ path: contractCase.request.path, body: readBody(contractCase) }]);
  }

  async function checkRefused(contractCase: ContractCase): Promise<void> {
    const { request, answer } = contractCase;
    const key = keyOf(contractCase, keys);
    if (!/^[!-~]+$/.test(key)) {
      assert.equal(answer.code, 401);
      assert.throws(() => makeClient(key), saysAll('apiKey', ...answer.says));
      return;
    }
    const { trackside, wire } = makeClient(key);
    const result = await send(trackside, contractCase);
    const judged = await ask(request.path, keys['free.test'], request.body!);
    if (judged.Code === 400) {
      assert.deepEqual([result.kind, result.code, result.message], ['malformed', 400, judged.Message]);
      assert.deepEqual(wire, [], 'expected that it is not sent');
    } else {
      const { Code, Message } = await ask(request.path, key, request.body!);
      const kind = Code === 401 ? 'unauthorized' : 'contingent-used-up';
      assert.equal(Code, answer.code);
      assert.deepEqual([result.kind, result.code, result.message], [kind, Code, Message]);
      assert.equal(wire.length, 1);
    }
  }

  const cases = loadCases();
  const inside = cases.filter((contractCase) => reasonToLeaveOut(contractCase) === undefined);
  await Promise.all(
    inside.map((contractCase) =>
      t.test(contractCase.title, () =>
        contractCase.verdict === 'accepted' ? checkAccepted(contractCase) : checkRefused(contractCase),
      ),
    ),
  );

  await t.test('refuses a body that is too large in the words of the server', async () => {
    const { Metrics } = readBody(inside.find(({ file }) => file.startsWith('accepted/page-view'))!);
    const large = { ...(Metrics as Metrics), Padding: 'a'.repeat(600_000) };
    const { trackside, wire } = makeClient(keys['free.test']);
    const result = await trackside.pageView(large);
    const body = JSON.stringify({ Metrics: large });
    const { Code, Message } = await ask('/api/page-view', keys['free.test'], body);
    assert.deepEqual([result.code, result.message], [Code, Message]);
    assert.deepEqual([Code, wire], [400, []]);
  });

  await t.test('no case is left out unnoticed', () => {
    const count = (verdict: string) => inside.filter((known) => known.verdict === verdict).length;
    for (const verdict of ['accepted', 'refused'] as const)
      assert.ok(count(verdict) >= fewestCases[verdict], `${verdict}: ${count(verdict)}`);
    const files = new Set(cases.map(({ file }) => file));
    for (const file of Object.keys(leftOut)) assert.ok(files.has(file), file);
    const reasons = new Map<string, number>();
    for (const reason of cases.map(reasonToLeaveOut))
      if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const listed = [...reasons].map(([reason, times]) => `${times} for ${reason}`);
    t.diagnostic(`${inside.length} of ${cases.length} through the SDK; left out: ${listed.join(', ')}`);
  });
});

const saysAll =
  (...words: string[]) =>
  ({ message }: Error) =>
    words.every((word) => message.includes(word));
