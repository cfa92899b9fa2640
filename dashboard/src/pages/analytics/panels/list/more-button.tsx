import { useCallback, useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { DetailsDialog } from '../details/details-dialog.tsx';
import type { Listing } from './listing.ts';

/** Opens all rows of a list. */
export function MoreButton({ listing }: { listing: Listing }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  return (
    <>
      <button type="button" class="panel-more" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        All {listing.plural}
        <Icon name="arrow" />
      </button>
      {isOpen && <DetailsDialog listing={listing} onClose={close} />}
    </>
  );
}
