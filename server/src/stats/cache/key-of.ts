import { hash } from 'node:crypto';

/**
 * Returns a short key that stands for a text. The builds of years and the filters of a question can take up
 * more memory than what is kept for them.
 */
export function keyOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
