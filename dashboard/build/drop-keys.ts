import { type Plugin, parseAst } from 'vite';

type Statement = ReturnType<typeof parseAst>['body'][number];
type Range = { start: number; end: number };
type ObjectExpression = Range & { type: 'ObjectExpression'; properties: Property[] };
type Property = Range & {
  type: string;
  shorthand: boolean;
  method: boolean;
  computed: boolean;
  key: Range & { name?: string; value?: unknown };
  value: Range & { type: string };
};

/**
 * Leaves the keys out of the catalogues of other languages, because the English catalogue of the same page
 * has them too. A catalogue becomes the list of its texts, in the order of their keys. `nameTexts` restores
 * the keys.
 */
export function dropKeys(): Plugin {
  return {
    name: 'drop-keys',
    apply: 'build',
    transform: {
      filter: { id: /-words-german\.ts$/ },
      handler: (code) => ({ code: toLists(code), map: null }),
    },
  };
}

/** Turns the exported catalogue of a module into a list. Everything else stays as it is. */
export function toLists(code: string): string {
  return parseAst(code, { lang: 'ts' })
    .body.flatMap(findCatalogues)
    .toReversed()
    .reduce((text, found) => text.slice(0, found.start) + toList(found, code) + text.slice(found.end), code);
}

function findCatalogues(statement: Statement): ObjectExpression[] {
  if (statement.type !== 'ExportNamedDeclaration') return [];
  if (statement.declaration?.type !== 'VariableDeclaration') return [];
  return statement.declaration.declarations.flatMap(({ init }) =>
    init?.type === 'ObjectExpression' ? [init as unknown as ObjectExpression] : [],
  );
}

function toList(object: ObjectExpression, code: string): string {
  const texts = object.properties.map((property) => {
    if (property.type !== 'Property' || property.method || property.computed)
      throw new Error(`expected only keys and their texts, got ${code.slice(object.start, object.end)}`);
    const { key, value } = property;
    // Starts at the colon, because a value may be in parentheses.
    const from = property.shorthand ? key.start : code.indexOf(':', key.end) + 1;
    const text = isObject(value) ? toList(value, code) : code.slice(from, property.end);
    return { key: String(key.name ?? key.value), text };
  });
  const sorted = texts.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return `[${sorted.map(({ text }) => text).join(',')}]`;
}

const isObject = (value: Property['value']): value is ObjectExpression => value.type === 'ObjectExpression';
