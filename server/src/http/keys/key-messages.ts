import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Claim, ClaimAnswer } from '../../intake/idempotency/idempotency-index.ts';

/** A node asks another one about these keys. `nonce` makes the answer the answer to this question. */
export type Question = { from: string; to: string; nonce: string; claims: [hash: string, bodyCrc: number][] };
/** In the order of the claims. */
export type Answer = { said: ClaimAnswer[] };

export const proofHeader = 'x-trackside-proof';
export const maxClaims = 500;
/** More than a question with all of its claims. */
export const maxQuestionBytes = 128 * 1024;

const kinds: ReadonlySet<string> = new Set<ClaimAnswer>(['free', 'taken', 'other-body', 'busy']);

/** Proves to those who have the secret that the text comes from one of them, and what it belongs to. */
export function prove(secret: string, context: string, text: string): string {
  return createHmac('sha256', secret).update(`${context}\n${text}`).digest('hex');
}

export function isProven(secret: string, context: string, text: string, proof: unknown): boolean {
  if (typeof proof !== 'string') return false;
  const [expected, given] = [Buffer.from(prove(secret, context, text)), Buffer.from(proof)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export function toClaims({ claims }: Question): Claim[] {
  return claims.map(([hash, bodyCrc]) => ({ hash: Buffer.from(hash, 'hex'), bodyCrc }));
}

/** Reads an answer whose proof was right. Another version may say something else. */
export function readAnswer(text: string, claims: number): ClaimAnswer[] {
  const { said } = JSON.parse(text) as Answer;
  if (!Array.isArray(said) || said.length !== claims || !said.every((one) => kinds.has(one)))
    throw new Error('expected an answer for each key, got something else');
  return said;
}
