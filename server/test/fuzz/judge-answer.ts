import { appFaults } from '@trackside/contract/app/fault-codes.ts';
import { maxBodyBytes } from '@trackside/contract/app/limits.ts';
import { statsFaults } from '@trackside/contract/stats/fault-codes.ts';
import { assertDocumented, assertListed } from '../support/assert-documented.ts';
import { expectRecord } from './expect-record.ts';
import { type FuzzCase, plainDresses } from './fuzz-cases.ts';
import type { FuzzAnswer } from './fuzz-connection.ts';
import { type BatchAnswer, judgeBatch } from './judge-batch.ts';

type Body = BatchAnswer & {
  code?: number;
  fault?: string;
  message?: string;
  fields?: object;
};

/**
 * What a valid form may be refused for, because of what earlier requests have saved: there is one already, it
 * was changed in the meantime, or it is gone.
 */
const causedBefore = new Set(['already-exists', 'conflict', 'not-found']);

/** Whether it is valid depends on what else there is: it lists all funnels of a website. */
const dependingOnOthers = 'PUT /api/websites/:id/funnels';

/** Returns what is wrong with an answer, or undefined if nothing is. */
export function judgeAnswer(sent: FuzzCase, answer: FuzzAnswer): string | undefined {
  const { status, headers } = answer;
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  if (status >= 500) return 'a fault of the server';
  const body = readBody(answer);
  if (body === undefined) return `not JSON, of type ${headers['content-type']}`;
  // What isn't HTTP is answered before anybody knows what it asks for, as a record would be.
  if (sent.dress === 'folded header') return judgeRecord(sent, status, body);
  return judgeShape(sent, answer) ?? judgeByFamily(sent, answer, body);
}

function judgeByFamily(sent: FuzzCase, answer: FuzzAnswer, body: Body): string | undefined {
  if (sent.target.family === 'record') return judgeRecord(sent, answer.status, body);
  if (sent.target.family === 'batch') return judgeBatch(sent, answer.status, body);
  return judgeRest(sent, answer, body);
}

/** Returns the JSON of an answer, or an empty object where there needn't be any. */
function readBody({ status, headers, body }: FuzzAnswer): Body | undefined {
  const isLines = headers['content-type']?.startsWith('application/x-ndjson') === true;
  if (status === 204 || isLines) return {};
  if (headers['content-type']?.startsWith('application/json') !== true) return undefined;
  try {
    return JSON.parse(body) as Body;
  } catch {
    return undefined;
  }
}

/** The status must be in the OpenAPI document, and the body must be exactly what the schema says. */
function judgeShape({ target }: FuzzCase, { status, headers, body: text }: FuzzAnswer): string | undefined {
  const [path = ''] = target.path.split('?', 1);
  const came = { method: target.method, path, status, type: headers['content-type'] ?? null };
  try {
    assertListed(came);
    assertDocumented({ ...came, text });
    return undefined;
  } catch (error) {
    return (error as Error).message.slice(0, 400);
  }
}

/** For a record, the contract says exactly what comes. */
function judgeRecord(sent: FuzzCase, status: number, { Code, Message = '' }: Body): string | undefined {
  const expected = expectRecord(sent);
  if (status !== expected.status || Code !== status)
    return `expected ${expected.status}, Code is ${Code} (${expected.why})`;
  if (expected.message !== undefined && Message !== expected.message)
    return `expected the Message ${JSON.stringify(expected.message)}`;
  return Message === '' ? 'no message' : undefined;
}

function judgeRest(sent: FuzzCase, answer: FuzzAnswer, body: Body): string | undefined {
  return (
    judgeFault(sent, answer.status, body) ?? judgeLines(sent, answer) ?? judgeJson(sent, answer.status, body)
  );
}

function judgeFault(
  { target }: FuzzCase,
  status: number,
  { code, fault = '', message = '' }: Body,
): string | undefined {
  if (status < 400) return undefined;
  const known: Record<string, number> = target.family === 'question' ? statsFaults : appFaults;
  if (known[fault] !== status || code !== status) return `fault ${fault} with code ${code}`;
  return message === '' ? 'no message' : undefined;
}

/** The answers to several questions, each in its line and each once. */
function judgeLines(sent: FuzzCase, { status, headers, body }: FuzzAnswer): string | undefined {
  if (status !== 200 || !headers['content-type']?.startsWith('application/x-ndjson')) return undefined;
  const lines = body.split('\n').filter(Boolean);
  const answers = lines.map((line) => JSON.parse(line) as Body & { index: number });
  const inOrder = answers.map(({ index }) => index).toSorted((one, other) => one - other);
  if (inOrder.length === 0 || inOrder.some((index, at) => index !== at)) return `lines ${inOrder}`;
  if (answers.some(({ code = 0 }) => code >= 500)) return 'a fault of the server in a line';
  return answers.map((line) => judgeFault(sent, line.code ?? 0, line)).find((fault) => fault !== undefined);
}

/** The verdict on the JSON itself, if nothing else about the request can decide. */
function judgeJson({ json, dress, target }: FuzzCase, status: number, body: Body): string | undefined {
  if (/credentials$/.test(dress)) return status === 401 ? undefined : 'expected 401 without credentials';
  if (!plainDresses.has(dress)) return undefined;
  if (!json.isParsable) {
    const isTooLarge = status === 413 && json.text.length > maxBodyBytes;
    return status === 400 || isTooLarge ? undefined : 'expected 400 for what is not JSON';
  }
  const isCausedBefore =
    (target.family === 'form' && causedBefore.has(body.fault ?? '')) || target.name === dependingOnOthers;
  if (json.changed.length === 0) return status < 400 || isCausedBefore ? undefined : 'refused what is valid';
  if (status !== 400 || isCausedBefore || json.changed.includes('')) return undefined;
  return namesOne(json.changed, body) ? undefined : `names none of ${json.changed}`;
}

/**
 * Whether a refusal names a place that was changed, a place around it, one inside it, or one in the same object:
 * without `period.lastMinutes`, it is `period.from` that is missing.
 */
function namesOne(changed: readonly string[], { message = '', fields = {} }: Body): boolean {
  const text = `${message} ${Object.keys(fields)}`.toLowerCase();
  const named: string[] = text.match(/[a-z][\w-]*(?:\.\w+|\[\d+\])*/g) ?? [];
  return changed
    .map((place) => place.toLowerCase())
    .some((place) =>
      named.some(
        (name) => isBeneath(name, place) || isBeneath(place, name) || isBeneath(name, objectOf(place)),
      ),
    );
}

/** Returns the object that a place is in. The whole body would say nothing, so there it is the place itself. */
const objectOf = (place: string) => place.replace(/\.\w+$/, '');

const isBeneath = (place: string, above: string) =>
  place === above || place.startsWith(`${above}.`) || place.startsWith(`${above}[`);
