import { appFaults } from '@trackside/contract/app/fault-codes.ts';
import { statsFaults } from '@trackside/contract/stats/fault-codes.ts';
import { type FuzzCase, plainDresses } from './fuzz-cases.ts';
import type { FuzzAnswer } from './fuzz-connection.ts';

type Body = {
  Code?: number;
  Message?: string;
  code?: number;
  fault?: string;
  message?: string;
  fields?: object;
};

/** What a fuzzer can cause that isn't the fault of its request. Everything else with 503 is a bug. */
const passing = new Set(['busy', 'being-calculated', 'website-not-ready']);

/** Returns what is wrong with an answer, or undefined if nothing is. */
export function judgeAnswer(sent: FuzzCase, answer: FuzzAnswer): string | undefined {
  const { status, body: text, headers } = answer;
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  if (status >= 400 && !isJson) return `a fault of type ${headers['content-type']}`;
  const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Body;
  // What isn't HTTP is answered before anybody knows what it asks for.
  const isHttp = sent.dress !== 'folded header';
  if (sent.target.family === 'record' || !isHttp) return judgeRecord(sent, status, body);
  // Something that was saved by an earlier request.
  if (body.fault === 'already-exists') return undefined;
  return (
    judgeFault(sent, status, body) ??
    judgeLines(sent, answer) ??
    judgeJson(sent, status, `${body.message} ${Object.keys(body.fields ?? {})}`)
  );
}

function judgeRecord(sent: FuzzCase, status: number, { Code, Message = '' }: Body): string | undefined {
  if (![200, 400, 401, 429].includes(status)) return 'a status that the interface does not have';
  if (Code !== status) return `Code ${Code}`;
  if (status !== 200 && Message === '') return 'no message';
  return judgeJson(sent, status, Message);
}

function judgeFault({ target }: FuzzCase, status: number, { code, fault = '' }: Body): string | undefined {
  if (status < 400) return undefined;
  const known: Record<string, number> = target.family === 'question' ? statsFaults : appFaults;
  if (known[fault] !== status || code !== status) return `fault ${fault} with code ${code}`;
  return status >= 500 && !passing.has(fault) ? `a fault of the server: ${fault}` : undefined;
}

/** The answers to several questions, each in its line. */
function judgeLines(sent: FuzzCase, { status, headers, body }: FuzzAnswer): string | undefined {
  if (status !== 200 || !headers['content-type']?.startsWith('application/x-ndjson')) return undefined;
  const lines = body.split('\n').filter((line) => line !== '');
  const faults = lines
    .map((line) => JSON.parse(line) as Body)
    .map((line) => judgeFault(sent, line.code!, line));
  return faults.find((fault) => fault !== undefined);
}

/** The verdict on the JSON itself, if nothing else about the request can decide. */
function judgeJson({ json, dress, target }: FuzzCase, status: number, message: string): string | undefined {
  const isRefused = status === 400;
  if (/credentials$/.test(dress)) return status >= 400 ? undefined : 'accepted without credentials';
  if (!plainDresses.has(dress)) return undefined;
  if (!json.isParsable) return isRefused || status === 413 ? undefined : 'accepted what is not JSON';
  // Whether a form is accepted also depends on what was saved before.
  if (json.changed.length === 0 && isRefused && target.family !== 'form') return 'refused what is valid';
  if (!isRefused || json.changed.length === 0 || json.changed.includes('')) return undefined;
  const named: string[] = message.toLowerCase().match(/[a-z][\w-]*(?:\.\w+|\[\d+\])*/g) ?? [];
  const isAbout = (place: string) =>
    named.some((name) => isBeneath(name, place) || isBeneath(place, name) || lastOf(name) === lastOf(place));
  // The settings name the field of the form; what is in it is said in words.
  const isAboutField = (place: string) =>
    target.family !== 'record' && named.includes(place.split(/[.[]/, 1)[0]!);
  const changed = json.changed.map((place) => place.toLowerCase());
  if (changed.some((place) => isAbout(place) || isAboutField(place))) return undefined;
  return `names none of ${json.changed}`;
}

const isBeneath = (place: string, above: string) =>
  place === above || place.startsWith(`${above}.`) || place.startsWith(`${above}[`);
const lastOf = (place: string) =>
  place
    .split('.')
    .at(-1)!
    .replace(/\[\d+\]$/, '');
