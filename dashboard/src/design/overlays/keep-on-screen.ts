/** The distance that is kept from the edge of the screen. */
const margin = 8;

/** Returns by how many pixels something has to move to the right, or to the left, to be seen as a whole. */
export function shiftOnScreen({ left, right }: { left: number; right: number }, width: number): number {
  if (left < margin) return margin - left;
  return Math.min(0, width - margin - right);
}

/** Whether something that opened below its button doesn't fit there, but above the button. */
export function fitsOnlyAbove(opened: { bottom: number; height: number }, above: number, height: number) {
  return opened.bottom > height - margin && opened.height + 2 * margin <= above;
}

/** Moves something that opened below its button onto the screen, if the button is too close to the edge. */
export function keepOnScreen(opened: HTMLElement): void {
  const box = opened.getBoundingClientRect();
  const { top } = opened.parentElement!.getBoundingClientRect();
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  opened.toggleAttribute('data-above', fitsOnlyAbove(box, top - Math.max(0, header), innerHeight));
  const shift = shiftOnScreen(box, document.documentElement.clientWidth);
  if (shift !== 0) opened.style.translate = `${shift}px`;
}
