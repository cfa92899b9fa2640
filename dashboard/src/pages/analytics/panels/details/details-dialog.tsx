import { useState } from 'preact/hooks';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { Choice } from '../list/choice.tsx';
import type { Listing } from '../list/listing.ts';
import { usePanelsWords } from '../panels-words.ts';
import { Details } from './details.tsx';
import './details.css';

type Props = { listing: Listing; onClose: () => void };

/** All rows of a list with all of their metrics. */
export function DetailsDialog({ listing, onClose }: Props) {
  const words = usePanelsWords();
  const { finer } = listing;
  const options = finer === undefined ? [] : [listing, finer];
  const [id, setId] = useState(listing.id);
  const shown = options.find((option) => option.id === id) ?? listing;
  return (
    <Dialog title={words.list.all(words.listings[shown.id].plural)} onClose={onClose}>
      <Details key={shown.id} listing={shown} onClose={onClose}>
        {options.length > 0 && (
          <Choice
            label={words.details.groupBy}
            options={options.map(({ id }) => ({ id, label: words.listings[id].heading }))}
            selected={shown.id}
            onSelect={setId}
          />
        )}
      </Details>
      <div class="details-close">
        <Button kind="quiet" icon="cross" isSmall isIconOnly onClick={onClose}>
          {words.details.close}
        </Button>
      </div>
    </Dialog>
  );
}
