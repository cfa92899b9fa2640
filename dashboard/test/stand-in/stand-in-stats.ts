import { setImmediate as turn } from 'node:timers/promises';
import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import type { StatsFaultCode } from '@trackside/contract/stats/fault-codes.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { QuestionError } from '../../../server/src/stats/question/question-error.ts';
import { toCsv } from '../../../server/src/stats/table/to-csv.ts';
import { toTable } from '../../../server/src/stats/table/to-table.ts';
import type { WebsiteSettings } from '../../src/api/shapes.ts';
import { countedSite } from './stand-in-counts.ts';
import type { StandInData } from './stand-in-data.ts';
import { standInQuery } from './stand-in-query.ts';
import {
  standInBots,
  standInFunnel,
  standInGoals,
  standInPaths,
  standInRetention,
  standInScene,
} from './stand-in-reports.ts';

type Headers = Record<string, string | string[] | undefined>;
type Line =
  | { code: 200; answer: object }
  | { code: number; fault: StatsFaultCode; message: string; retryAfterSeconds?: number };

/** Pages must not depend on the words of a fault, which are for people. */
export const anyWords = 'Words of the server';

/** The website of a public link. Undefined for a link that doesn't work. */
export const findShared = ({ websites }: StandInData, token: string): WebsiteSettings | undefined =>
  websites.find(({ share }) => share.isOn && share.path === `/share/${token}`);

/** The website that a user or a public link asks about. */
export function findAsked(data: StandInData, headers: Headers): WebsiteSettings | undefined {
  const token = headers['trackside-share'];
  if (typeof token === 'string') return findShared(data, token);
  if (data.session === undefined) return undefined;
  return data.websites.find(({ id }) => String(id) === headers['trackside-website']);
}

export const sceneOf = (data: StandInData, site: WebsiteSettings) => standInScene(countedOf(data, site));

const countedOf = (data: StandInData, { id, timezone }: WebsiteSettings) =>
  countedSite(timezone, Math.round((data.activity.get(id)?.visitors ?? 0) * 0.7));

/** Answers or refuses one question of a kind, as the server does. */
export function answerOne(data: StandInData, site: WebsiteSettings, kind: string, question: unknown): Line {
  if (data.isEngineAway) return { code: 503, fault: 'engine-away', message: anyWords, retryAfterSeconds: 2 };
  const counted = countedOf(data, site);
  const kinds: Record<string, () => object> = {
    query: () => standInQuery(counted, question),
    live: () => {
      const { visitors, minutes } = standInScene(counted);
      return { visitors, minutes };
    },
    bots: () => standInBots(counted, question as Questions['bots']),
    funnel: () => standInFunnel(counted, question),
    retention: () => standInRetention(counted, question, site.id === 1),
    paths: () => standInPaths(counted, question),
    goals: () => standInGoals(counted, question, data.goals.get(site.id) ?? []),
  };
  const answer = kinds[kind];
  if (answer === undefined) {
    const message = `kind: expected one of the questions, got "${kind}"`;
    return { code: 400, fault: 'question-invalid', message };
  }
  try {
    const { domain: website, timezone } = site;
    return { code: 200, answer: { website, timezone, ...answer(), asOf: new Date().toISOString() } };
  } catch (error) {
    if (error instanceof QuestionError)
      return { code: 400, fault: 'question-invalid', message: error.message };
    throw error;
  }
}

/** Writes the lines of a batch in reverse order, because nobody may rely on their order. */
export async function* answerBatch(
  data: StandInData,
  site: WebsiteSettings,
  questions: readonly { kind: string; question: unknown }[],
): AsyncGenerator<string> {
  for (const [index, { kind, question }] of [...questions.entries()].reverse()) {
    yield `${JSON.stringify({ index, ...answerOne(data, site, kind, question) })}\n`;
    await turn();
  }
}

export function toCsvText(answer: object, question: object): string {
  const { header, rows } = toTable(answer as { rows: AnswerRow[] }, question);
  return toCsv(header, rows);
}
