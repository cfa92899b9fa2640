const number = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${number}(?:\\.${number}){3}$`);
const ipv6Group = /^[\da-f]{1,4}$/i;
const ipv6Groups = 8;
const longestIpv6 = 45;

/** Does not use node:net, because the rules work on every runtime. */
export function isIpAddress(text: string): boolean {
  return ipv4.test(text) || isIpv6Address(text);
}

export function isIpv6Address(text: string): boolean {
  if (text.length > longestIpv6) return false;
  const [before = '', after, more] = text.split('::');
  if (more !== undefined) return false;
  if (after === undefined) return countGroups(before) === ipv6Groups;
  // An IPv4 address may end the whole address, but not the half before the gap.
  if (before.includes('.')) return false;
  const groups = (before === '' ? 0 : countGroups(before)) + (after === '' ? 0 : countGroups(after));
  return groups < ipv6Groups;
}

/** Returns how many of the eight groups a part stands for, or NaN if it is not valid. */
function countGroups(stretch: string): number {
  const groups = stretch.split(':');
  let count = groups.length;
  if (ipv4.test(groups.at(-1)!)) {
    groups.pop();
    count += 1;
  }
  return groups.every((group) => ipv6Group.test(group)) ? count : Number.NaN;
}
