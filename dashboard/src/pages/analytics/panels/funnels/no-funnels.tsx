import { Button } from '#design/forms/button.tsx';
import { useFunnelsWords } from './funnels-words.ts';
import './funnel-steps.css';

/** Explains with an example what a funnel is. */
export function NoFunnels({ canEdit, onAdd }: { canEdit: boolean; onAdd: () => void }) {
  const words = useFunnelsWords();
  return (
    <div class="funnel-none">
      <div class="funnel-picture" aria-hidden="true">
        <span>/pricing</span>
        <span>/signup</span>
        <span>{words.none.step}</span>
      </div>
      <p>{words.none.about}</p>
      {canEdit ? (
        <Button isSmall icon="plus" onClick={onAdd}>
          {words.new}
        </Button>
      ) : (
        <p class="faint note">{words.none.askAdmin}</p>
      )}
    </div>
  );
}
