import type { ComponentChildren } from 'preact';

/** Puts elements into a sentence: `fill('Sent to {email}.', { email: <b>{email}</b> })`. */
export function fill<Name extends string>(
  sentence: string,
  parts: Readonly<Record<Name, ComponentChildren>>,
): ComponentChildren[] {
  return sentence
    .split(/\{(\w+)\}/)
    .map((text, index) => (index % 2 === 0 ? text : parts[text as Name]))
    .filter((part) => part !== '');
}
