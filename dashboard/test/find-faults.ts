import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Doesn't use `evaluate`, which wraps the text, so that Chromium would compile all of it again on every page.
 */
export async function loadAxe(devTools: CDPSession): Promise<void> {
  await devTools.send('Runtime.evaluate', { expression: axe });
}

type Examined = {
  /** The rules of axe. All of them if not given. */
  rules?: readonly string[] | undefined;
  /** The examined part. The whole page if not given. */
  within?: string | undefined;
  /**
   * The kinds of elements that axe has seen, to which those of this page are added. It doesn't examine
   * another element of these kinds. Without it, all elements are examined.
   */
  seen?: Set<string> | undefined;
  /** No script of ours runs in it, so elements to skip can be removed from the page in the meantime. */
  isStatic?: boolean | undefined;
};

/** Returns what axe finds wrong with a page. */
export async function findFaults(
  page: Page,
  { rules, within = 'html', seen, isStatic = false }: Examined,
): Promise<string[]> {
  const known = seen === undefined ? undefined : [...seen].join(' ');
  const { violations, kinds } = await page.evaluate(runAxe, { rules, within, known, isStatic });
  if (violations.length === 0 && seen !== undefined) for (const kind of kinds.split(' ')) seen.add(kind);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

type Run = {
  rules: readonly string[] | undefined;
  within: string;
  known: string | undefined;
  isStatic: boolean;
};
type Found = { violations: AxeResults['violations']; kinds: string };

/** Runs in the page. */
async function runAxe({ rules, within, known, isStatic }: Run): Promise<Found> {
  const { axe } = globalThis as unknown as {
    axe: { run(context: object, options: object): Promise<AxeResults> };
  };
  const root = document.querySelector(within)!;
  const seen = new Set(known?.split(' '));
  const added: string[] = [];
  const alike: Element[] = [];
  /** Small elements, of which there are many, such as the options of timezones. */
  const hidden: Element[] = [];
  if (known !== undefined && markAlike(root, kindOfParents(root))) alike.push(...root.children);
  // Rules about the whole page apply even if each of its elements was seen before.
  if (rules !== undefined && added.length === 0 && known !== undefined) return { violations: [], kinds: '' };
  const putBack = isStatic ? takeOut(alike) : () => {};
  for (const { style } of hidden as HTMLElement[]) style.setProperty('display', 'none', 'important');
  const { violations } = await axe.run(
    { include: [root], exclude: isStatic ? [] : alike },
    {
      // Skips details of what passes, and doesn't read style sheets, because nobody needs them.
      resultTypes: ['violations'],
      preload: { assets: ['media'] },
      ...(rules !== undefined && { runOnly: rules }),
    },
  );
  for (const { style } of hidden as HTMLElement[]) style.removeProperty('display');
  putBack();
  return { violations, kinds: added.join(' ') };

  /**
   * Whether each part of an element is of a kind that was seen. If not, marks those of its children that are.
   */
  function markAlike(element: Element, parents: number): boolean {
    const kind = kindOf(element, parents);
    const name = kind.toString(36);
    let isAlike = seen.has(name);
    if (!isAlike) {
      seen.add(name);
      added.push(name);
    }
    const children: Element[] = [];
    for (const child of element.children) {
      if (markAlike(child, kind)) children.push(child);
      else isAlike = false;
    }
    if (!isAlike) {
      alike.push(...children.filter(isWorthLeavingOut));
      if (children.length > 20) hidden.push(...children.filter((child) => !isWorthLeavingOut(child)));
    }
    return isAlike;
  }

  /** For each rule, axe compares each element with all skipped ones. */
  function isWorthLeavingOut(element: Element): boolean {
    return element.getElementsByTagName('*').length >= 3;
  }

  function takeOut(elements: readonly Element[]): () => void {
    const places = elements.map((element) => {
      const place = document.createComment('');
      element.replaceWith(place);
      return { element, place };
    });
    return () => {
      for (const { element, place } of places) place.replaceWith(element);
    };
  }

  function kindOfParents(element: Element): number {
    const { parentElement: parent } = element;
    return parent === null ? 0 : kindOf(parent, kindOfParents(parent));
  }

  /** The kind of an element: its markup and that of its ancestors, without texts and addresses. */
  function kindOf(element: Element, parents: number): number {
    const tellsByName = /^(?:class|role|type|aria-(?!label|describ|control|owns|active|value)|data-(?!code))/;
    const told = Array.from(element.attributes, ({ name, value }) =>
      tellsByName.test(name) ? `${name}=${value}` : `${name}${value === '' ? ' is empty' : ''}`,
    );
    const hasText = Array.from(element.childNodes).some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '',
    );
    const isFocused = element === document.activeElement;
    const text = [element.tagName, ...told, hasText, isFocused].join(' ');
    let hash = parents;
    for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    return hash;
  }
}
