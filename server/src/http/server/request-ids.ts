import { randomBytes } from 'node:crypto';

/**
 * Creates ids for requests in logs and in the Request-Id header of a refusal: a random start, then a count.
 */
export function createRequestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}
