import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runTrackside } from '../../sdk/test/run-trackside.ts';
import { caseWebsites, keyOf, readBody, reasonToLeaveOut } from '../../sdk/test/sendable-cases.ts';
import { type ContractCase, loadCases } from '../../server/test/contract/load-cases.ts';
import { drive } from './drive.ts';
import type { Driver, Language } from './languages.ts';
import { askServer, standIn } from './stand-in.ts';

/** A case, what a client is given to send it, and what the server itself says to it. */
type Asked = { contractCase: ContractCase; apiKey: string; body: unknown; code: number; message: string };

type Outcome =
  | { kind: string; code: number; message: string }
  /** The client refused to be made with this API key. */
  | { thrown: string }
  /** The language's types don't let anybody write this record. */
  | { ruledOut: string };

const kinds: Record<number, string> = {
  200: 'accepted',
  400: 'malformed',
  401: 'unauthorized',
  429: 'contingent-used-up',
};

/** Starts one real server for all clients, and returns a function that holds a client against it. */
export async function startContract(t: TestContext) {
  const { origin, keys } = await runTrackside(t, caseWebsites);
  const asked: Asked[] = [];
  for (const contractCase of loadCases()) {
    if (reasonToLeaveOut(contractCase) !== undefined) continue;
    const apiKey = keyOf(contractCase, keys);
    const { path } = contractCase.request;
    // A program that has nothing to pass has to pass null.
    const nothing =
      path === '/api/page-view' ? { Metrics: null } : { Name: null, Parameters: null, Metrics: null };
    const body = { ...nothing, ...readBody(contractCase) };
    const headers = { authorization: /^[!-~]+$/.test(apiKey) ? apiKey : 'none' };
    const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const { Code: code, Message: message } = (await answer.json()) as { Code: number; Message: string };
    asked.push({ contractCase, apiKey, body, code, message });
  }
  return (one: TestContext, language: Language, driver: Driver) =>
    keepContract(one, language, driver, origin, asked);
}

async function keepContract(
  t: TestContext,
  { name, fewestSent }: Language,
  driver: Driver,
  origin: string,
  asked: readonly Asked[],
): Promise<void> {
  const trackside = await standIn(t, askServer(origin));
  const requests = asked.map(({ contractCase, apiKey, body }) => ({
    apiKey,
    path: contractCase.request.path,
    // As text, because not every language can read all of them.
    body: JSON.stringify(body),
  }));
  const outcomes = await drive<Outcome[]>(driver, 'contract', { url: trackside.origin, requests });
  assert.equal(outcomes.length, asked.length);
  const sent = [...trackside.sent];
  const passed = { accepted: 0, refused: 0 };
  let ruledOut = 0;
  for (const [index, { contractCase, body, code, message }] of asked.entries()) {
    const outcome = outcomes[index]!;
    const { title, verdict, answer, request } = contractCase;
    if ('ruledOut' in outcome) {
      ruledOut += 1;
      continue;
    }
    passed[verdict] += 1;
    if ('thrown' in outcome) {
      assert.equal(answer.code, 401, title);
      for (const word of answer.says) assert.ok(outcome.thrown.includes(word), `${title}: ${outcome.thrown}`);
      continue;
    }
    assert.deepEqual(outcome, { kind: kinds[code], code, message }, title);
    assert.equal(code, answer.code, title);
    const one = sent.shift();
    assert.equal(one?.path, request.path, title);
    assert.deepEqual(asRead(one?.body), asRead(body), title);
  }
  assert.deepEqual(sent, [], 'nothing is sent twice');
  for (const verdict of ['accepted', 'refused'] as const)
    assert.ok(passed[verdict] >= fewestSent[verdict], `${verdict}: ${passed[verdict]}`);
  t.diagnostic(
    `${name}: ${passed.accepted} accepted and ${passed.refused} refused cases; ` +
      `${ruledOut} others cannot be written in its types`,
  );
}

/**
 * Returns what the server makes of a body: null, an absent member and an empty text mean the same where the
 * member is optional, and half of a surrogate pair is replaced.
 */
function asRead(value: unknown): unknown {
  const isNone = (name: string, member: unknown) =>
    member === null || (member === '' && (name === 'ClientId' || name === 'Absolute'));
  return JSON.parse(JSON.stringify(value), (name, member) => {
    if (isNone(name, member)) return undefined;
    return typeof member === 'string' ? member.toWellFormed() : member;
  });
}
