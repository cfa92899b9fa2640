/**
 * The thread that hashes passwords, so that hashing blocks neither the main thread nor the threads that write
 * the journal.
 */
import { type Argon2Parameters, argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import { answerOnThread } from '../../concurrency/answer-on-thread.ts';

const lowPriority = 10;

// On other systems this would slow down the whole process instead of this thread.
if (process.platform === 'linux') lowerPriority();
answerOnThread<Argon2Parameters, Uint8Array>({ answer: (parameters) => argon2Sync('argon2id', parameters) });

function lowerPriority(): void {
  try {
    setPriority(0, lowPriority);
  } catch {
    // The process already runs at a lower priority, which only root may raise.
  }
}
