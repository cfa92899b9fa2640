import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { Parameters } from '../question/dimensions.ts';
import { chosenVisitsSql, type ReportScope } from './chosen-visits.ts';

export type PathsInput = ReportScope & {
  /** The path of the page. */
  page: string;
  /** How many steps to follow in each direction. */
  steps: number;
  /** The number of pages for each step. */
  limit: number;
};

export type PathsResult = Omit<WithoutAbout<Answers['paths']>, 'period'>;

type Row = { step: number; page: string; visits: number; entries: number; exits: number; atStep: number };

/**
 * Reports which pages were seen before and after a page, around its first page view in each visit. Only page
 * views count, and a path that follows itself (a reload, or another host or query) counts once.
 */
export async function askPaths(
  store: WebsiteStore,
  input: PathsInput,
  builds: readonly DayBuild[],
): Promise<PathsResult> {
  const parameters = new Parameters();
  const query = pathsSql(input, builds, parameters);
  const rows = await store.query<Row>({ query, params: parameters.values });
  const rowsAt = Map.groupBy(rows, ({ step }) => step);
  const stepsTowards = (sign: 1 | -1) =>
    Array.from({ length: input.steps }, (_, index) => {
      const found = rowsAt.get(sign * (index + 1)) ?? [];
      const pages = found.map(({ page, visits }) => ({ page, visits }));
      return { step: index + 1, visits: found[0]?.atStep ?? 0, pages };
    });
  const { visits, entries, exits } = rowsAt.get(0)?.[0] ?? { visits: 0, entries: 0, exits: 0 };
  return { visits, entries, exits, before: stepsTowards(-1), after: stepsTowards(1) };
}

function pathsSql(input: PathsInput, builds: readonly DayBuild[], parameters: Parameters): string {
  const page = parameters.add('String', input.page);
  const steps = parameters.add('Int8', input.steps);
  // The place is compared with both ends, because index -1 of an array is its last element.
  return `
    select
      step, pages[place + step] as page, count() as visits,
      countIf(place = 1) as entries, countIf(place = length(pages)) as exits,
      sum(visits) over (partition by step) as atStep
    from (
      select arrayCompact(arrayFilter((p, e) -> not e, path, is_event)) as pages, indexOf(pages, ${page}) as place
      ${chosenVisitsSql(input, builds, parameters)}
        and has(path, ${page}) and place > 0
    )
    array join range(-${steps}, ${steps} + 1) as step
    where place + step between 1 and length(pages)
    group by step, page
    order by step, visits desc, page
    limit ${parameters.add('UInt32', input.limit)} by step`;
}
