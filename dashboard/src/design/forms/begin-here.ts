/**
 * For the field that a page or dialog begins with. A dialog looks for the attribute when it opens; on a page
 * the focus is set, once.
 */
export function beginHere(input: HTMLInputElement | null): void {
  if (input === null || input.autofocus) return;
  input.autofocus = true;
  input.focus();
}
