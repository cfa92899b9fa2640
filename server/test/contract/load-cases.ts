import { readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { type CaseFile, caseFileSchema } from './case-file.ts';
import { expandBody, expandRepeat } from './expand-body.ts';

export type ContractCase = {
  /** The path below contract/cases, as in `refused/event-with-13-parameters.json`. */
  file: string;
  /** A judged case is a dry run, and a rule excludes an excluded one: both are answered, and never stored. */
  verdict: 'accepted' | 'refused' | 'judged' | 'excluded';
  title: string;
  about: string;
  request: {
    method: string;
    path: string;
    /** A null removes a header that the sender would otherwise set. */
    /** A list is a header that is sent several times. */
    headers: Record<string, string | string[] | null>;
    authorization: NonNullable<CaseFile['request']['authorization']>;
    body: Buffer | undefined;
    contentEncoding: 'gzip' | undefined;
    isChunked: boolean;
    expectsContinue: boolean;
  };
  answer: ExpectedVerdict & {
    headers: Record<string, string>;
    /** What a batch answers to each of its records. Undefined for every other answer. */
    results: ExpectedVerdict[] | undefined;
    understood: Record<string, unknown> | undefined;
  };
  stored: Record<string, unknown>;
  storedNowhere: string[];
  /** How many rows the request leaves. */
  rows: number;
};

export type ExpectedVerdict = {
  code: number;
  field: string | undefined;
  says: string[];
  hides: string[];
};

const casesFolder = new URL('../../../contract/cases/', import.meta.url);

let loaded: readonly ContractCase[] | undefined;

/** Returns every accepted and refused case, expanded. Throws if a file is not a case. */
export function loadCases(): readonly ContractCase[] {
  loaded ??= readCases(['accepted', 'refused']);
  return loaded;
}

/** Returns the cases that are answered and never stored: dry runs, and records that a rule excludes. */
export function loadUnstoredCases(): readonly ContractCase[] {
  return readCases(['judged', 'excluded']);
}

function readCases(verdicts: readonly ContractCase['verdict'][]): ContractCase[] {
  const cases = verdicts.flatMap((verdict) =>
    readdirSync(new URL(`${verdict}/`, casesFolder))
      .sort()
      .map((name) => {
        const json = readFileSync(new URL(`${verdict}/${name}`, casesFolder), 'utf8');
        return readCase(`${verdict}/${name}`, verdict, json);
      }),
  );
  const fileByTitle = new Map<string, string>();
  for (const { title, file } of cases) {
    const other = fileByTitle.get(title);
    if (other) throw new Error(`${file}: expected a title of its own, got that of ${other}`);
    fileByTitle.set(title, file);
  }
  return cases;
}

export function readCase(file: string, verdict: ContractCase['verdict'], json: string): ContractCase {
  try {
    if (!/^(accepted|refused|judged|excluded)\/[a-z0-9]+(-[a-z0-9]+)*\.json$/.test(file)) {
      throw new Error('expected a kebab-case name that ends in .json');
    }
    const parsed: unknown = JSON.parse(json);
    if (!Value.Check(caseFileSchema, parsed)) {
      const faults = Value.Errors(caseFileSchema, parsed).map((f) => `${f.instancePath || '/'} ${f.message}`);
      throw new Error(faults.join('; '));
    }
    checkVerdict(verdict, parsed);
    return expandCase(file, verdict, parsed);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function checkVerdict(verdict: ContractCase['verdict'], { answer, stored, storedNowhere }: CaseFile): void {
  if (answer.understood !== undefined && verdict !== 'judged') {
    throw new Error('expected understood only in judged');
  }
  if (verdict === 'judged' || verdict === 'excluded') {
    if (stored || storedNowhere) throw new Error('expected neither stored nor storedNowhere');
    return;
  }
  if ((verdict === 'accepted') !== (answer.code === 200)) {
    throw new Error(`expected 200 in accepted and another code in refused, got ${answer.code}`);
  }
  if (verdict === 'accepted' && (answer.field || answer.says || answer.hides)) {
    throw new Error('expected no field, says or hides: the Message of an accepted record is fixed');
  }
  if (verdict === 'refused' && (stored || storedNowhere)) {
    throw new Error('expected neither stored nor storedNowhere: a refused record leaves no row');
  }
}

function expandCase(file: string, verdict: ContractCase['verdict'], parsed: CaseFile): ContractCase {
  const { title, about, request, answer, stored = {}, storedNowhere = [] } = parsed;
  const results = answer.results?.flatMap((result) =>
    Array.from({ length: result.times ?? 1 }, () => expandVerdict(result)),
  );
  const accepted = (results ?? [answer]).filter(({ code }) => code === 200).length;
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && '$repeat' in value ? expandRepeat(value.$repeat) : value,
  ]);
  return {
    file,
    verdict,
    title,
    about,
    request: {
      method: request.method,
      path: request.path,
      headers: Object.fromEntries(headers),
      authorization: request.authorization ?? 'valid',
      body: expandBody(request),
      contentEncoding: request.contentEncoding,
      isChunked: request.chunked ?? false,
      expectsContinue: request.expectContinue ?? false,
    },
    answer: {
      ...expandVerdict(answer),
      headers: answer.headers ?? {},
      results,
      understood: answer.understood,
    },
    stored,
    storedNowhere,
    rows: parsed.rows ?? accepted,
  };
}

function expandVerdict({ code, field, says, hides }: Omit<CaseFile['answer'], 'results'>): ExpectedVerdict {
  return { code, field, says: says ?? [], hides: hides ?? [] };
}
