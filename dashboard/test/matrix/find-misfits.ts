import type { Page } from 'playwright-core';

/**
 * Returns what doesn't fit on a page: sideways scrolling, text that is cut off without an ellipsis, controls
 * that overlap each other or the edge, and text on top of other text.
 */
export function findMisfits(page: Page): Promise<string[]> {
  return page.evaluate(lookForMisfits);
}

type Boxed = { element: Element; box: DOMRect };

/** Runs in the page. */
function lookForMisfits(): string[] {
  const found = new Set<string>();
  /** Covers the page for a while. */
  const above = '.toasts, .connection';
  // What is under an open dialog or menu was examined without it.
  const root: Element = [...document.querySelectorAll('dialog[open], .menu')].at(-1) ?? document.body;
  const shownWidth = document.documentElement.clientWidth;

  if (document.documentElement.scrollWidth > shownWidth)
    found.add(`scrolls sideways: ${document.documentElement.scrollWidth} in ${shownWidth} pixels`);

  const frame = root.getBoundingClientRect();
  if (root !== document.body && (frame.left < 0 || frame.right > shownWidth || frame.top < 0))
    found.add(`over the edge: ${describe(root)}`);

  const texts = listTexts();
  for (const { element, box } of texts) {
    const cut = cutterOf(element);
    if (cut !== undefined && !isWithin(box, cut.box) && !cut.hasEllipsis)
      found.add(`cut without an ellipsis: ${describe(element)} in ${describe(cut.element)}`);
    if (!isScrolled(element) && (box.right > shownWidth + 1 || box.left < -1))
      found.add(`text over the edge: ${describe(element)}`);
    const control = element.closest(
      'button, .button, input, select, .badge, .secret, .banner, .card, .dialog-inside',
    );
    if (control !== null && !isScrolled(element) && !isWithin(box, control.getBoundingClientRect()))
      found.add(`text out of its control: ${describe(element)} in ${describe(control)}`);
  }
  for (const [one, other] of listOverlaps(
    texts.map(({ element, box }) => ({ element, box: clip(element, box) })),
  ))
    if (one.element !== other.element && isSeen(one) && isSeen(other))
      found.add(`text on text: ${describe(one.element)} on ${describe(other.element)}`);

  const controls = [
    ...root.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
  ]
    .map((element) => ({ element, box: clip(element.parentElement!, element.getBoundingClientRect()) }))
    .filter(
      ({ element, box }) => element.closest(above) === null && isOnScreen(box) && isSeen({ element, box }),
    );
  for (const { element, box } of controls)
    if (!isScrolled(element) && (box.right > shownWidth + 1 || box.left < -1))
      found.add(`control over the edge: ${describe(element)}`);
  for (const [one, other] of listOverlaps(controls)) {
    if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
    const label = one.element.closest('label');
    if (label !== null && label === other.element.closest('label')) continue;
    // What is scrolled is hidden by what is pinned.
    if (isPinned(one.element) !== isPinned(other.element)) continue;
    if (isRoomFor(one.element, other.box) || isRoomFor(other.element, one.box)) continue;
    if (!isCovered(one, other) && !isCovered(other, one)) continue;
    found.add(`control on control: ${describe(one.element)} on ${describe(other.element)}`);
  }
  return [...found];

  /** A link to skip the header waits off screen until it has the focus. */
  function isOnScreen({ top, bottom, right, width, height }: DOMRect): boolean {
    return width > 1 && height > 1 && right > 0 && bottom > 0 && top < innerHeight;
  }

  /** The pairs that overlap by more than what letters and borders need. */
  function listOverlaps(all: readonly Boxed[]): [Boxed, Boxed][] {
    const sorted = all.toSorted((one, other) => one.box.top - other.box.top);
    const pairs: [Boxed, Boxed][] = [];
    for (const [index, one] of sorted.entries())
      for (let at = index + 1; at < sorted.length && sorted[at]!.box.top < one.box.bottom; at += 1)
        if (overlap(one.box, sorted[at]!.box) > 2) pairs.push([one, sorted[at]!]);
    return pairs;
  }

  /** The lines of text on the screen, each with its box. */
  function listTexts(): Boxed[] {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const list: Boxed[] = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      const element = node.parentElement;
      if (element === null || node.nodeValue?.trim() === '') continue;
      if (element.closest(`svg, .unseen, option, datalist, pre, [aria-busy=true], textarea, ${above}`))
        continue;
      if (!isVisible(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) if (isOnScreen(box)) list.push({ element, box });
    }
    return list;
  }

  /** What cuts an element off at its side: the nearest ancestor that hides what is too wide. */
  function cutterOf(element: Element): { element: Element; box: DOMRect; hasEllipsis: boolean } | undefined {
    let hasEllipsis = false;
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(at);
      hasEllipsis ||= textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
      if (overflowX === 'auto' || overflowX === 'scroll') return undefined;
      if (overflowX === 'hidden' || overflowX === 'clip')
        return { element: at, box: at.getBoundingClientRect(), hasEllipsis };
    }
    return undefined;
  }

  function isScrolled(element: Element): boolean {
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  }

  /** The part of a box that is left in an element that may hide some of it, and in all of its ancestors. */
  function clip(element: Element, whole: DOMRect): DOMRect {
    let { left, top, right, bottom } = whole;
    for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue;
      const box = at.getBoundingClientRect();
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  }

  function isVisible(element: Element): boolean {
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  }

  /** Nothing covers it, such as an open menu or a pinned header. */
  function isSeen({ element, box }: Boxed): boolean {
    if (!isVisible(element)) return false;
    const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
    const y = box.top + box.height / 2;
    if (y < 0 || y >= innerHeight) return true;
    const top = document.elementFromPoint(x, y);
    return top === null || top.contains(element) || element.contains(top) || isNear(top, element);
  }

  /** A label takes the clicks of its input, and a row those of what is in it. */
  function isNear(one: Element, other: Element): boolean {
    return (
      one.closest('label, li, tr') !== null && one.closest('label, li, tr') === other.closest('label, li, tr')
    );
  }

  /** Stays in its place while the page is scrolled. */
  function isPinned(element: Element): boolean {
    const dialog = element.closest('.dialog');
    const hasMore = dialog !== null && dialog.scrollHeight > dialog.clientHeight;
    if (scrollY === 0 && !hasMore) return false;
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      if (['sticky', 'fixed'].includes(getComputedStyle(at).position)) return true;
    return false;
  }

  /** A field leaves room for the button at its end. */
  function isRoomFor(element: Element, { left, width }: DOMRect): boolean {
    const room = Number.parseFloat(getComputedStyle(element).paddingInlineEnd);
    return element.matches('input') && room >= width && left >= element.getBoundingClientRect().right - room;
  }

  /** A field, or part of the text of another control, is under a control. */
  function isCovered({ element }: Boxed, { box }: Boxed): boolean {
    const lines = texts.filter((line) => element.contains(line.element));
    return element.matches('input, select, textarea') || lines.some((line) => overlap(line.box, box) > 2);
  }

  function overlap(one: DOMRect, other: DOMRect): number {
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return Math.min(width, height);
  }

  function isWithin(inner: DOMRect, outer: DOMRect): boolean {
    return inner.left >= outer.left - 1.5 && inner.right <= outer.right + 1.5;
  }

  function describe(element: Element): string {
    const name = element.tagName.toLowerCase();
    const classes = [...element.classList].map((one) => `.${one}`).join('');
    const text = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40);
    return `<${name}${classes}> "${text || element.getAttribute('aria-label') || ''}"`;
  }
}
