import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runTrackside } from '../../sdk/test/run-trackside.ts';
import { caseWebsites, keyOf, readBody, reasonToLeaveOut } from '../../sdk/test/sendable-cases.ts';
import { type ContractCase, loadCases } from '../../server/test/contract/load-cases.ts';
import { isLongForm } from '../../server/test/support/long-form.ts';
import { drive } from './drive.ts';
import type { Driver, Language } from './languages.ts';
import { askServer, standIn } from './stand-in.ts';

/** A case, and what a client is given to send it. */
type Sendable = { contractCase: ContractCase; apiKey: string; body: unknown };

type Outcome =
  | { kind: string; code: number; message: string }
  /** The client refused this API key when it was created. */
  | { thrown: string }
  /** The language's types don't let anybody write this record. */
  | { ruledOut: string };

const kinds: Record<number, string> = {
  200: 'accepted',
  400: 'malformed',
  401: 'unauthorized',
  429: 'contingent-used-up',
};

/** Starts one real server for all clients, and returns a function that tests a client against it. */
export async function startContract(t: TestContext) {
  const { origin, keys } = await runTrackside(t, caseWebsites);
  const sendable: Sendable[] = loadCases()
    .filter((contractCase) => reasonToLeaveOut(contractCase) === undefined)
    .map((contractCase) => ({
      contractCase,
      apiKey: keyOf(contractCase, keys),
      body: fullBody(contractCase),
    }));
  /** In the short form, each client takes its turn: a fourth of the cases. */
  const ofTurn = (turn: number) =>
    sendable.filter((_, index) => isLongForm || index % turns === turn % turns);
  return (one: TestContext, language: Language, driver: Driver, turn: number) =>
    keepContract(one, language, driver, origin, ofTurn(turn));
}

const turns = 4;

/** A program that has nothing to pass has to pass null. */
function fullBody(contractCase: ContractCase): unknown {
  const isPageView = contractCase.request.path === '/api/page-view';
  const nothing = isPageView ? { Metrics: null } : { Name: null, Parameters: null, Metrics: null };
  return { ...nothing, ...readBody(contractCase) };
}

async function keepContract(
  t: TestContext,
  { name, fewestSent }: Language,
  driver: Driver,
  origin: string,
  sendable: readonly Sendable[],
): Promise<void> {
  const trackside = await standIn(t, askServer(origin));
  // The body is a text, because not every language can read all of them.
  const requests = sendable.map(({ contractCase, apiKey, body }) => ({
    apiKey,
    path: contractCase.request.path,
    body: JSON.stringify(body),
  }));
  const outcomes = await drive<Outcome[]>(driver, 'contract', { url: trackside.origin, requests });
  assert.equal(outcomes.length, sendable.length);
  const sent = [...trackside.sent];
  const passed = { accepted: 0, refused: 0, judged: 0, excluded: 0 };
  for (const [index, { contractCase, body }] of sendable.entries()) {
    const outcome = outcomes[index]!;
    const { title, verdict, answer, request } = contractCase;
    if ('ruledOut' in outcome) continue;
    passed[verdict] += 1;
    if ('thrown' in outcome) {
      assert.equal(answer.code, 401, title);
      for (const word of answer.says) assert.ok(outcome.thrown.includes(word), `${title}: ${outcome.thrown}`);
      continue;
    }
    const one = sent.shift();
    assert.equal(one?.path, request.path, title);
    assert.deepEqual(asRead(one?.body), asRead(body), title);
    const { Code: code, Message: message } = one?.answer ?? assert.fail(title);
    assert.equal(code, answer.code, title);
    assert.deepEqual(outcome, { kind: kinds[code], code, message }, title);
  }
  assert.deepEqual(sent, [], 'nothing is sent twice');
  for (const verdict of ['accepted', 'refused'] as const) {
    const fewest = isLongForm ? fewestSent[verdict] : 10;
    assert.ok(passed[verdict] >= fewest, `${verdict}: ${passed[verdict]}`);
  }
  t.diagnostic(
    `${name}: ${passed.accepted} accepted and ${passed.refused} refused cases; ` +
      `${sendable.length - passed.accepted - passed.refused} others cannot be written in its types`,
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
