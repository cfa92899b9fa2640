import { useCallback, useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { DetailsDialog } from '../details/details-dialog.tsx';
import { usePanelsWords } from '../panels-words.ts';
import type { Listing } from './listing.ts';

/** Opens all rows of a list. */
export function MoreButton({ listing }: { listing: Listing }) {
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
