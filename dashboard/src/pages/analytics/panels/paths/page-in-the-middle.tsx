import type { Answers } from '@trackside/contract/stats/answers.ts';
import { Icon } from '#design/display/icon.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { useFormat } from '#format/format-context.tsx';
import { showPath } from '#format/show-value.ts';
import { spellShare } from '../list/spell-share.ts';
import { useReportsWords } from '../reports-words.ts';

/** The page itself: how many visitors saw it, entered on it, and left from it. */
export function PageInTheMiddle({ page, answer }: { page: string; answer: Answers['paths'] | undefined }) {
  const format = useFormat();
  const words = useReportsWords().paths;
  const share = (part: number) => spellShare(part, answer?.visits, format) || format.percent(0);
  return (
    <div class="paths-page">
      <Icon name="arrow" />
      <div class="paths-card">
        <div class="paths-name">
          <VisitorText text={showPath(page)} />
        </div>
        <div class="paths-visits">
          {answer === undefined ? <Skeleton width="90px" height={30} /> : format.number(answer.visits)}
        </div>
        <div class="muted note">{format.count(answer?.visits ?? 0, words.visitsOfPage)}</div>
        <p class="faint note">
          {answer === undefined ? (
            <Skeleton width="160px" height={16} />
          ) : (
            words.edges({ entered: share(answer.entries), left: share(answer.exits) })
          )}
        </p>
      </div>
      <Icon name="arrow" />
    </div>
  );
}
