import { type AddressRules, plainRules } from '../../text/address-rules.ts';

/**
 * Returns the name of the rules by which the days of a website are built. Days with a different name are
 * rebuilt in the background. The name of the plain rules is empty, because days from before there were other
 * rules were built by them.
 */
export function nameDayRules(rules: AddressRules = plainRules): string {
  const { ignoreTrailingSlash, ignoreCase, ignoreWww } = rules;
  const chosen = [ignoreTrailingSlash && 'slash', ignoreCase && 'case', ignoreWww && 'www'];
  return chosen.filter((name) => name !== false).join(' ');
}
