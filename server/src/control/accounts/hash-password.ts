import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import { openThread, type Thread } from '../../concurrency/open-thread.ts';
import { tooManyAtOnce } from '../database/control-error.ts';

/** Memory is in KiB. */
export type PasswordCost = { memory: number; passes: number; parallelism: number };

/** OWASP's choice for argon2id: 19 MiB and two passes, which take about 50 ms of one core. */
const recommendedCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * There is one queue for the process, like the thread behind it. A client that would have to wait for seconds
 * is told to come back later.
 */
const inLine = limitConcurrency({ places: 1, maxWaiting: 30, whenFull: tooManyAtOnce });
let thread: Thread<Argon2Parameters, Uint8Array> | undefined;
/** People sign in rarely, and a thread takes memory. */
const idleMs = 30_000;
let idleTimer: NodeJS.Timeout | undefined;

/** The text contains everything that is needed to verify it, so that the cost can be raised later. */
export async function hashPassword(password: string, cost = recommendedCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  return format(cost, salt, await derive(password, { ...cost, salt, length: hashBytes }));
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = shape.exec(hash) ?? [];
  if (salt === undefined || expected === undefined) {
    throw new Error(
      'expected the hash of a password as $argon2id$v=19$m=…,t=…,p=…$salt$hash, got something else',
    );
  }
  const wanted = Buffer.from(expected, 'base64');
  const derived = await derive(password, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    length: wanted.length,
  });
  return timingSafeEqual(derived, wanted);
}

/**
 * Takes as long as a verification. It is called for users that don't exist, so that the time doesn't give
 * that away.
 */
export async function verifyNothing(password: string, cost = recommendedCost): Promise<void> {
  await verifyPassword(password, format(cost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes)));
}

function derive(
  password: string,
  options: PasswordCost & { salt: Buffer; length: number },
): Promise<Uint8Array> {
  const { memory, passes, parallelism, salt, length } = options;
  // Different keyboards produce different code points for the same letters.
  const message = password.normalize('NFKC');
  const parameters = { message, nonce: salt, parallelism, tagLength: length, memory, passes };
  return inLine(async () => {
    clearTimeout(idleTimer);
    if (thread?.isAlive() !== true) {
      const module = new URL('./password-worker.ts', import.meta.url);
      thread = await openThread({ module, name: 'passwords' });
    }
    idleTimer = setTimeout((idle) => idle.close(), idleMs, thread).unref();
    return await thread.ask(parameters);
  });
}

function format({ memory, passes, parallelism }: PasswordCost, salt: Uint8Array, hash: Uint8Array): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(salt)}$${toText(hash)}`;
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');
