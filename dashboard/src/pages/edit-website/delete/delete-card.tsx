import { useState } from 'preact/hooks';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { Button } from '#design/forms/button.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DeletionProgress } from './deletion-progress.tsx';

type Props = {
  website: WebsiteSettings;
  /** The deletion has started. */
  onBegun?: () => void;
};

/** Deletes a website. Once the deletion has started, only its progress is shown. */
export function DeleteCard({ website, onBegun }: Props) {
  const { remove: words } = useEditWebsiteWords();
  const { websiteNotFound: begun } = useSharedWords();
  const [isAsking, setIsAsking] = useState(false);
  const [hasBegun, setHasBegun] = useState(website.isDeleting);
  return (
    <Card
      title={hasBegun ? begun.deletingTitle : words.title}
      isDanger
      about={hasBegun ? begun.deleting : words.about}
    >
      {hasBegun ? (
        <DeletionProgress website={website} />
      ) : (
        <div class="row">
          <Button kind="danger-ghost" onClick={() => setIsAsking(true)}>
            {words.button}
          </Button>
        </div>
      )}
      {isAsking && (
        <DeleteDialog
          website={website}
          onClose={() => setIsAsking(false)}
          onBegun={() => {
            setIsAsking(false);
            setHasBegun(true);
            onBegun?.();
          }}
        />
      )}
    </Card>
  );
}
