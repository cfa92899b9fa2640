import {
  type Exclusion,
  type ExclusionKind,
  exclusionKinds,
} from '@trackside/contract/app/exclusion-kinds.ts';
import { exclusionValues } from '@trackside/contract/app/exclusions.ts';
import { changeWebsite } from '../../actions/change-website.ts';
import type { Control } from '../../control/open-control.ts';
import { parseExclusion } from '../../control/websites/parse-exclusions.ts';
import { type Command, CommandError, type CommandOutput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { findWebsite } from './find-website.ts';

type Options = { control: Control; website: string };

const kinds = alignColumns(exclusionKinds.map((kind) => [`  ${kind}`, exclusionValues[kind]]));

/** Each command by the words after `trackside`. */
export const websiteExclusionCommands: Record<string, Command> = {
  'website exclusions list': {
    usage: 'website exclusions list ID|DOMAIN',
    help: 'Lists the rules for records that are answered 200, but neither stored nor counted.',
    words: { min: 1, max: 1 },
    flags: {},
    run: (input) => withControl(input, (control) => listExclusions({ control, website: input.words[0]! })),
  },
  'website exclusions add': {
    usage: 'website exclusions add ID|DOMAIN KIND VALUE',
    help:
      'Excludes records that match. A running server applies it within a second; stored records stay. ' +
      'With own-host,\nrecords of all other hosts are excluded. KIND is one of these, and VALUE is:\n' +
      kinds,
    words: { min: 3, max: 3 },
    flags: {},
    run: (input) => withControl(input, (control) => addExclusion({ control, ...readWords(input.words) })),
  },
  'website exclusions remove': {
    usage: 'website exclusions remove ID|DOMAIN KIND VALUE',
    help: 'Removes a rule. From then on, records that match it count again.',
    words: { min: 3, max: 3 },
    flags: {},
    run: (input) => withControl(input, (control) => removeExclusion({ control, ...readWords(input.words) })),
  },
};

export async function listExclusions({ control, website }: Options): Promise<CommandOutput> {
  const { id, domain, exclusions } = await findWebsite(control, website);
  const text =
    exclusions.length === 0
      ? `${domain} excludes no records.`
      : alignColumns([['kind', 'value'], ...exclusions.map(({ kind, value }) => [kind, value])]);
  return { json: { id, domain, exclusions }, text };
}

export async function addExclusion({ control, website, rule }: Options & { rule: Exclusion }) {
  const { id, exclusions, version } = await findWebsite(control, website);
  const change = { id, version, exclusions: [...exclusions, rule] };
  const { domain, ...changed } = await changeWebsite(control, 'command line', change);
  const { kind, value } = parseExclusion(rule);
  const text =
    kind === 'own-host'
      ? `${domain} now counts only records of its own hosts, which include ${value}.`
      : `${domain} now excludes records by ${kind}: ${value}`;
  return { json: { id, domain, exclusions: changed.exclusions }, text };
}

export async function removeExclusion({ control, website, rule }: Options & { rule: Exclusion }) {
  const { id, domain, exclusions, version } = await findWebsite(control, website);
  const { kind, value } = parseExclusion(rule);
  const kept = exclusions.filter((one) => one.kind !== kind || one.value !== value);
  if (kept.length === exclusions.length)
    throw new CommandError(
      `${domain} has no rule "${kind} ${value}". To see all: trackside website exclusions list ${domain}`,
    );
  const changed = await changeWebsite(control, 'command line', { id, version, exclusions: kept });
  return {
    json: { id, domain, exclusions: changed.exclusions },
    text: `${domain} no longer excludes records by ${kind}: ${value}`,
  };
}

function readWords([website, kind, value]: readonly string[]): { website: string; rule: Exclusion } {
  if (!exclusionKinds.includes(kind as ExclusionKind))
    throw new CommandError(`KIND: expected one of ${exclusionKinds.join(', ')}, got "${kind}".`);
  return { website: website!, rule: { kind: kind as ExclusionKind, value: value! } };
}
