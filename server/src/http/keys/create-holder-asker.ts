import { randomUUID } from 'node:crypto';
import { type Agent, request } from 'node:http';
import type { KeyHolder } from '../../control/nodes/key-holders.ts';
import type { Claim, ClaimAnswer } from '../../intake/idempotency/idempotency-index.ts';
import { isProven, maxClaims, proofHeader, prove, type Question, readAnswer } from './key-messages.ts';

type Waiting = { claim: Claim; done: (said: ClaimAnswer | 'away') => void };

const maxAnswerBytes = 64 * 1024;
/** More than that can't be asked within the time that a client waits. */
const maxWaiting = 20_000;

/**
 * Asks one other node about keys. Questions that come while one is under way are asked together: when a node
 * was away, everyone sends again at the same time.
 */
export function createHolderAsker(parts: {
  from: string;
  secret: string;
  agent: Agent;
  holder: KeyHolder;
  /** A node that takes longer counts as away. */
  answerMs: number;
}) {
  const { from, secret, agent, holder, answerMs } = parts;
  const waiting: Waiting[] = [];
  let isAsking = false;
  let isSilent = false;

  function askNext(): void {
    if (isAsking || waiting.length === 0) return;
    isAsking = true;
    const group = waiting.splice(0, maxClaims);
    note(send(group.map(({ claim }) => claim)))
      .then(
        (said) => {
          for (const [at, { done }] of group.entries()) done(said[at]!);
        },
        () => {
          for (const { done } of group) done('away');
        },
      )
      .finally(() => {
        isAsking = false;
        askNext();
      });
  }

  function note<Said>(answer: Promise<Said>): Promise<Said> {
    answer.then(
      () => {
        isSilent = false;
      },
      () => {
        isSilent = true;
      },
    );
    return answer;
  }

  function send(claims: Claim[]): Promise<ClaimAnswer[]> {
    const { promise, resolve, reject } = Promise.withResolvers<ClaimAnswer[]>();
    const question: Question = {
      from,
      to: holder.name,
      nonce: randomUUID(),
      claims: claims.map(({ hash, bodyCrc }) => [hash.toString('hex'), bodyCrc]),
    };
    const body = JSON.stringify(question);
    const headers = { [proofHeader]: prove(secret, 'question', body) };
    const sent = request(`http://${holder.address}/keys`, { agent, method: 'POST', headers });
    const timer = setTimeout(() => sent.destroy(new Error('the node does not answer')), answerMs);
    sent.once('error', reject);
    sent.once('close', () => clearTimeout(timer));
    sent.once('response', async (response) => {
      try {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) {
          text += chunk;
          if (text.length > maxAnswerBytes) throw new Error('expected a short answer');
        }
        const proof = response.headers[proofHeader];
        if (response.statusCode !== 200 || !isProven(secret, `answer ${question.nonce}`, text, proof))
          throw new Error(`expected the answer of a node, got ${response.statusCode}`);
        resolve(readAnswer(text, claims.length));
      } catch (error) {
        reject(error);
        sent.destroy();
      }
    });
    sent.end(body);
    return promise;
  }

  return {
    ask: (claim: Claim): Promise<ClaimAnswer | 'away'> =>
      new Promise((done) => {
        if (waiting.length >= maxWaiting) {
          done('away');
          return;
        }
        waiting.push({ claim, done });
        askNext();
      }),
    /** Asks about no key, to see whether the node answers. */
    async probe(): Promise<void> {
      await note(send([])).catch(() => {});
    },
    /** Whether the last question got no answer. */
    isSilent: (): boolean => isSilent,
  };
}
