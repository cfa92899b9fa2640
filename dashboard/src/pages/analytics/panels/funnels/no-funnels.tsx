import { Button } from '#design/forms/button.tsx';
import './funnel-steps.css';

/** Explains with an example what a funnel is. */
export function NoFunnels({ canEdit, onAdd }: { canEdit: boolean; onAdd: () => void }) {
  return (
    <div class="funnel-none">
      <div class="funnel-picture" aria-hidden="true">
        <span>/pricing</span>
        <span>/signup</span>
        <span>Event signup</span>
      </div>
      <p>
        A funnel counts how many visitors take some steps in their order, such as from the prices to the
        sign-up, and where the others leave.
      </p>
      {canEdit ? (
        <Button isSmall icon="plus" onClick={onAdd}>
          New funnel
        </Button>
      ) : (
        <p class="faint note">An admin can add one.</p>
      )}
    </div>
  );
}
