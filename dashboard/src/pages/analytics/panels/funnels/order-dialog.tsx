import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Funnel } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAnalytics } from '../../analytics-context.ts';
import { moveOne } from './funnel-draft.ts';
import { useFunnelsWords } from './funnels-words.ts';
import './steps-field.css';

type Props = {
  funnels: readonly Funnel[];
  onArranged: (funnels: readonly Funnel[]) => void;
  onClose: () => void;
};

/** Puts the funnels into another order, for everyone who sees the website. */
export function OrderDialog({ funnels, onArranged, onClose }: Props) {
  const api = useApi();
  const { website } = useAnalytics();
  const words = useFunnelsWords();
  const spellFault = useSpellFault();
  const [order, setOrder] = useState(funnels);
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string>();

  async function save(event: Event): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    const answer = await api.arrangeFunnels(
      website.id,
      order.map(({ id }) => id),
    );
    setIsBusy(false);
    if (answer.isOk) onArranged(answer.value.funnels);
    else setMessage(spellFault(answer.fault));
  }
  return (
    <Dialog title={words.order.title} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <FormMessage message={message} />
        <ol class="draft-steps">
          {order.map(({ id, name }, index) => (
            <li key={id} class="draft-step order-row">
              <span class="draft-number" aria-hidden="true">
                {index + 1}
              </span>
              <span class="order-name">{name}</span>
              <div class="draft-buttons">
                <Button
                  kind="quiet"
                  isSmall
                  isIconOnly
                  icon="chevron"
                  isDisabled={index === 0}
                  onClick={() => setOrder(moveOne(order, index, -1))}
                >
                  {words.order.moveUp(name)}
                </Button>
                <Button
                  kind="quiet"
                  isSmall
                  isIconOnly
                  icon="chevron"
                  isDisabled={index === order.length - 1}
                  onClick={() => setOrder(moveOne(order, index, 1))}
                >
                  {words.order.moveDown(name)}
                </Button>
              </div>
            </li>
          ))}
        </ol>
        <DialogButtons>
          <Button onClick={onClose}>{words.form.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            {words.order.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
