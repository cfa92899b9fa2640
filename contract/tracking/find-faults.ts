import type { BodyRules, ListRules } from './body-rules.ts';
import { expected, type Rule, type RuleFault, spellRuleFault } from './field-rules.ts';

/** The first fault of a body, and how many more there are. */
export type BodyFault = { path: string; fault: RuleFault; others: number };

type Faults = { first: { path: string; fault: RuleFault } | undefined; count: number };

/**
 * Returns what is wrong with a body: its first fault in the order of the rules, and how many more there are.
 */
export function findFaults(rules: BodyRules, body: unknown): BodyFault | undefined {
  const faults: Faults = { first: undefined, count: 0 };
  visit(rules, body, '', faults);
  return faults.first && { ...faults.first, others: faults.count - 1 };
}

/** Returns the sentence that a client gets. */
export function spellBodyFault({ path, fault, others }: BodyFault): string {
  const first = `${path}: ${spellRuleFault(fault)}`;
  return others < 1 ? first : `${first} (and ${others} more ${others === 1 ? 'fault' : 'faults'})`;
}

function visit(rules: BodyRules, value: unknown, path: string, faults: Faults): void {
  if (typeof rules === 'function') report(faults, path, rules(value));
  else if (isList(rules)) visitList(rules, value, path, faults);
  else visitObject(rules, value, path, faults);
}

function isList(rules: Exclude<BodyRules, Rule>): rules is ListRules {
  return typeof rules.list === 'function';
}

function visitObject(
  rules: { readonly [member: string]: BodyRules },
  value: unknown,
  path: string,
  faults: Faults,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(faults, path || 'Body', expected(path ? 'an object' : 'a JSON object', value));
    return;
  }
  const misspelled = findMisspelled(rules, value);
  for (const [name, member] of Object.entries(rules)) {
    const memberPath = path ? `${path}.${name}` : name;
    const wrong = misspelled.get(name);
    if (wrong !== undefined)
      report(faults, memberPath, { expected: `the member to be spelled ${name}`, got: wrong });
    else
      visit(
        member,
        Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined,
        memberPath,
        faults,
      );
  }
}

function visitList({ list, each }: ListRules, value: unknown, path: string, faults: Faults): void {
  const fault = list(value);
  if (fault !== undefined) report(faults, path, fault);
  else
    for (const [index, element] of (value as unknown[]).entries())
      visit(each, element, `${path}[${index}]`, faults);
}

function findMisspelled(rules: object, value: object): Map<string, string> {
  const spelling = new Map(Object.keys(rules).map((name) => [name.toLowerCase(), name]));
  const misspelled = new Map<string, string>();
  for (const came of Object.keys(value)) {
    const right = spelling.get(came.toLowerCase());
    if (right !== undefined && right !== came) misspelled.set(right, came);
  }
  return misspelled;
}

function report(faults: Faults, path: string, fault: RuleFault | undefined): void {
  if (fault === undefined) return;
  faults.first ??= { path, fault };
  faults.count += 1;
}
