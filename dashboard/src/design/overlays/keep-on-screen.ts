/** The distance that is kept from the edge of the screen. */
const margin = 8;

/** Returns by how many pixels something has to move to the right, or to the left, to be seen as a whole. */
export function shiftOnScreen({ left, right }: { left: number; right: number }, width: number): number {
  if (left < margin) return margin - left;
  return Math.min(0, width - margin - right);
}

/** Moves something that opened beside its button onto the screen, if the button is too close to the edge. */
export function keepOnScreen(opened: HTMLElement): void {
  const shift = shiftOnScreen(opened.getBoundingClientRect(), document.documentElement.clientWidth);
  if (shift !== 0) opened.style.translate = `${shift}px`;
}
