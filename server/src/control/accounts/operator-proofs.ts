import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../time/clock.ts';
import type { SecretBox } from '../database/secret-box.ts';

/**
 * Proofs that a request comes from a command that can read this installation's key file. Each is valid for a
 * minute or two, and only for what commands may ask the server.
 */
export type OperatorProofs = { make(): string; isValid(proof: string): boolean };

const stepMs = 60_000;

export function createOperatorProofs({ box, clock }: { box: SecretBox; clock: Clock }): OperatorProofs {
  const currentStep = () => Math.floor(clock.now() / stepMs);
  const proofOf = (step: number) => box.pseudonym(String(step), 'operator');
  return {
    make: () => proofOf(currentStep()),
    isValid(proof) {
      const step = currentStep();
      return [step, step - 1].some((one) => isSame(proof, proofOf(one)));
    },
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
