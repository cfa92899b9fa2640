import { useAnalytics } from '../../analytics-context.ts';
import { useNear } from '../../ask/use-near.ts';
import { addFilter } from '../../view/filters.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { useReportsWords } from '../reports-words.ts';
import { findPage } from './find-page.ts';
import { PageInTheMiddle } from './page-in-the-middle.tsx';
import { pathRows, toRows, usePaths } from './use-paths.ts';
import './paths.css';

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
  const { answer, fault, isBusy, retry } = usePaths(isNear);
  const page = findPage(shown.filters);
  const goTo = (is: string) => change({ filters: addFilter(wanted.filters, { dimension: 'page', is }) });
  if (page === undefined) return null;
  return (
    <Panel title={words.title} isWide>
      <div ref={ref}>
        {answer === undefined && fault !== undefined ? (
          <ListFault fault={fault} limit={pathRows} onRetry={retry} />
        ) : (
          <div class="paths">
            <BarList
              heading={words.before}
              unit={words.visits}
              {...toRows(answer, 'before')}
              limit={pathRows}
              isBusy={isBusy}
              onSelect={goTo}
              empty={words.nobodyBefore}
            />
            <PageInTheMiddle page={page} answer={answer} />
            <BarList
              heading={words.after}
              unit={words.visits}
              {...toRows(answer, 'after')}
              limit={pathRows}
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
