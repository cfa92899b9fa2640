/** Markup that is used in a page as it is. Everything else is text. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | false | undefined | readonly Part[];

/** Joins markup with values. Values that are not markup are escaped, so that none can become an element. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: markup }, ...parts.map(toMarkup)));
}

function toMarkup(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (Array.isArray(part)) return part.map(toMarkup).join('');
  if (part === undefined || part === false) return '';
  return escapeText(String(part));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter]!);
