import { Button } from '#design/forms/button.tsx';
import { useFormat } from '#format/format-context.tsx';
import { usePanelsWords } from '../panels-words.ts';
import { pageRows } from './details-question.ts';

type Props = {
  page: number;
  /** The number of all rows. Undefined while it is unknown. */
  total: number | undefined;
  onPage: (page: number) => void;
};

export function DetailsPages({ page, total, onPage }: Props) {
  const format = useFormat();
  const words = usePanelsWords().details;
  const all = total ?? 0;
  const last = Math.min((page + 1) * pageRows, all);
  const isFirst = page === 0;
  const isLast = last >= all;
  const range = words.range({
    first: format.number(page * pageRows + 1),
    last: format.number(last),
    all: format.number(all),
  });
  return (
    <div class="details-foot">
      <span class="grow" role="status">
        {total === undefined ? '' : all > pageRows ? range : format.count(all, words.rows)}
      </span>
      {all > pageRows && (
        <>
          <Button isSmall isDisabled={isFirst} onClick={() => onPage(page - 1)}>
            {words.previous}
          </Button>
          <Button isSmall isDisabled={isLast} onClick={() => onPage(page + 1)}>
            {words.next}
          </Button>
        </>
      )}
    </div>
  );
}
