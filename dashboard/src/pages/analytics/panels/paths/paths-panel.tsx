import { showPath } from '#format/show-value.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useNear } from '../../ask/use-near.ts';
import { addFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { useReportsWords } from '../reports-words.ts';
import { wholeDays } from '../whole-days.ts';
import { findPage } from './find-page.ts';
import { PageInTheMiddle } from './page-in-the-middle.tsx';
import './paths.css';

const limit = 6;

/** The pages that visitors saw before and after a page. Shown when the view is filtered by one page. */
export function PathsPanel() {
  const { shown, wanted } = useAnalytics();
  const isAsked = findPage(shown.filters) !== undefined || findPage(wanted.filters) !== undefined;
  return isAsked ? <Paths /> : null;
}

function Paths() {
  const words = useReportsWords().paths;
  const { shown, wanted, change } = useAnalytics();
  const [ref, isNear] = useNear();
  const { answer, fault, isBusy, retry } = useAnswer('paths', ({ filters }, period) => {
    const page = findPage(filters);
    if (!isNear || page === undefined) return undefined;
    return { period: wholeDays(period), filters, page, steps: 1, limit };
  });
  const page = findPage(shown.filters);
  const goTo = (is: string) => change({ filters: addFilter(wanted.filters, { dimension: 'page', is }) });
  const listOf = (
    step: { visits: number; pages: readonly { page: string; visits: number }[] } | undefined,
  ) => ({
    rows: step?.pages.map((each) => ({ key: each.page, label: showPath(each.page), value: each.visits })),
    total: step?.visits,
  });
  if (page === undefined) return null;
  return (
    <Panel title={words.title} isWide>
      <div ref={ref}>
        {answer === undefined && fault !== undefined ? (
          <ListFault fault={fault} limit={limit} onRetry={retry} />
        ) : (
          <div class="paths">
            <BarList
              heading={words.before}
              unit={words.visits}
              {...listOf(answer?.before[0])}
              limit={limit}
              isBusy={isBusy}
              onSelect={goTo}
              empty={words.nobodyBefore}
            />
            <PageInTheMiddle page={page} answer={answer} />
            <BarList
              heading={words.after}
              unit={words.visits}
              {...listOf(answer?.after[0])}
              limit={limit}
              isBusy={isBusy}
              onSelect={goTo}
              empty={words.nobodyAfter}
            />
          </div>
        )}
      </div>
    </Panel>
  );
}
