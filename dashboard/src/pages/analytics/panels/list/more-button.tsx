import { useCallback, useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { DetailsDialog } from '../details/details-dialog.tsx';
import { usePanelsWords } from '../panels-words.ts';
import { drillDown } from './drill-down.ts';
import type { Listing } from './listing.ts';

/** Opens all rows of a list, or of the finer list that is shown in its place. */
export function MoreButton({ listing: top }: { listing: Listing }) {
  const { listing } = drillDown(top, useAnalytics().shown.filters);
  const words = usePanelsWords();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      <button type="button" class="panel-more" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {words.list.all(words.listings[listing.id].plural)}
        <Icon name="arrow" />
      </button>
      {isOpen && <DetailsDialog listing={listing} onClose={close} />}
    </>
  );
}
