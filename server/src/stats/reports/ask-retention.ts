import { listWeeks } from '@trackside/contract/calendar/week.ts';
import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { Parameters } from '../question/dimensions.ts';
import { chosenVisitsSql, type ReportScope } from './chosen-visits.ts';

export type RetentionInput = ReportScope;

export type RetentionResult = Omit<WithoutAbout<Answers['retention']>, 'period'>;

type Row = { week: string; since: number; visitors: number };

/**
 * Reports how many of the new visitors of a week came back in the weeks after. A cohort consists of the
 * visitors with a ClientId whose first visit ever was in that week and in the period, so that none of their
 * visits is before the period. There is one cohort for each week that the period has a day of. With filters,
 * only matching visits count, and a cohort has only visitors with such a visit in its first week.
 */
export async function askRetention(
  store: WebsiteStore,
  input: RetentionInput,
  builds: readonly DayBuild[],
): Promise<RetentionResult> {
  const [rows, visitorsWithoutClientId] = await Promise.all([
    askWeeks(store, input, builds),
    countWithoutClientId(store, input, builds),
  ]);
  const mondays = listWeeks(input.period.from, input.period.to);
  const cohorts = mondays.map((week, index) => ({
    week,
    visitors: 0,
    weeks: mondays.slice(index).map(() => 0),
  }));
  const byWeek = new Map(cohorts.map((cohort) => [cohort.week, cohort]));
  for (const { week, since, visitors } of rows) {
    const cohort = byWeek.get(week)!;
    cohort.weeks[since] = visitors;
    if (since === 0) cohort.visitors = visitors;
  }
  return { cohorts, visitorsWithoutClientId };
}

async function askWeeks(
  store: WebsiteStore,
  input: RetentionInput,
  builds: readonly DayBuild[],
): Promise<Row[]> {
  const parameters = new Parameters();
  const from = parameters.add('Date', input.period.from);
  const to = parameters.add('Date', input.period.to);
  // The first day comes from the records, because a visitor may have been new long before the period.
  const query = `
    select toString(cohort) as week, intDiv(visited - cohort, 7) as since, count() as visitors
    from (
      select visitor_id, groupUniqArray(toMonday(day)) as weeks
      ${chosenVisitsSql(input, builds, parameters)}
        and has_client_id
      group by visitor_id
    ) as seen
    inner join (
      select visitor_id, min(day) as first_day, toMonday(first_day) as cohort
      from records
      where website_id = {website_id:UInt32} and day <= ${to} and has_client_id and not is_bot
      group by visitor_id
      having first_day >= ${from}
    ) as firsts using (visitor_id)
    array join weeks as visited
    where has(weeks, cohort)
    group by cohort, visited`;
  return await store.query<Row>({ query, params: parameters.values });
}

async function countWithoutClientId(
  store: WebsiteStore,
  input: RetentionInput,
  builds: readonly DayBuild[],
): Promise<number> {
  const parameters = new Parameters();
  const query = `
    select uniqExact(visitor_id) as visitors
    ${chosenVisitsSql(input, builds, parameters)}
      and not has_client_id`;
  const [row] = await store.query<{ visitors: number }>({ query, params: parameters.values });
  return row!.visitors;
}
