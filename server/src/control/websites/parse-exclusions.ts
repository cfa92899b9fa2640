import { type Exclusion, maxExclusions } from '@trackside/contract/app/exclusion-kinds.ts';
import {
  exclusionValues,
  maxExclusionLength,
  readExclusionValue,
} from '@trackside/contract/app/exclusions.ts';
import { ControlError } from '../database/control-error.ts';

/** Reads the rules of a website, each in its one spelling and once. */
export function parseExclusions(rules: readonly Exclusion[]): Exclusion[] {
  const byText = new Map(rules.map(parseExclusion).map((rule) => [`${rule.kind} ${rule.value}`, rule]));
  if (byText.size <= maxExclusions) return [...byText.values()];
  throw new ControlError('invalid', `Exclusions: expected at most ${maxExclusions}, got ${byText.size}.`);
}

export function parseExclusion(rule: Exclusion): Exclusion {
  const { kind } = rule;
  const value = readExclusionValue(rule);
  if (value !== undefined) return { kind, value };
  throw new ControlError('invalid', `${kind}: expected ${exclusionValues[kind]}, got ${shown(rule.value)}.`);
}

const shown = (text: string) =>
  text.length > maxExclusionLength ? `a text of ${text.length} characters` : JSON.stringify(text);
