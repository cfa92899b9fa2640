/**
 * Focuses the first field of a page or dialog. A dialog looks for the attribute when it opens. On a page the
 * focus is set once.
 */
export function beginHere(input: HTMLInputElement | null): void {
  if (input === null || input.autofocus) return;
  input.autofocus = true;
  input.focus();
}
