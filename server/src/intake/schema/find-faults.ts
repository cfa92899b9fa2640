import type { TSchema } from 'typebox';
import { expected } from '../rules/rule.ts';

export type Faults = { first: string | undefined; count: number };

type SchemaNode = TSchema & {
  type?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  '~refine'?: { error: (value: unknown) => string }[];
};

/** Walks the schema in its own order and says, for each member at fault, what was expected and what came. */
export function findFaults(schema: TSchema, body: unknown): Faults {
  const faults: Faults = { first: undefined, count: 0 };
  visit(schema as SchemaNode, body, '', faults);
  return faults;
}

function visit(node: SchemaNode, value: unknown, path: string, faults: Faults): void {
  if (node.type === 'object') visitObject(node, value, path, faults);
  else visitField(node, value, path, faults);
}

function visitObject(node: SchemaNode, value: unknown, path: string, faults: Faults): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(faults, path || 'Body', expected(path ? 'an object' : 'a JSON object', value));
    return;
  }
  const misspelled = findMisspelled(node, value);
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    const memberPath = path ? `${path}.${name}` : name;
    const wrong = misspelled.get(name);
    if (wrong !== undefined)
      report(faults, memberPath, `expected the member to be spelt ${name}, got ${wrong}`);
    else
      visit(
        member,
        Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined,
        memberPath,
        faults,
      );
  }
}

function visitField(node: SchemaNode, value: unknown, path: string, faults: Faults): void {
  const fault = node['~refine']?.[0]?.error(value);
  if (fault) {
    report(faults, path, fault);
    return;
  }
  if (node.items && Array.isArray(value)) {
    for (const [index, element] of value.entries()) visit(node.items, element, `${path}[${index}]`, faults);
  }
}

function findMisspelled(node: SchemaNode, value: object): Map<string, string> {
  const spelling = new Map(Object.keys(node.properties ?? {}).map((name) => [name.toLowerCase(), name]));
  const misspelled = new Map<string, string>();
  for (const came of Object.keys(value)) {
    const right = spelling.get(came.toLowerCase());
    if (right !== undefined && right !== came) misspelled.set(right, came);
  }
  return misspelled;
}

function report(faults: Faults, path: string, fault: string): void {
  faults.first ??= `${path}: ${fault}`;
  faults.count += 1;
}
