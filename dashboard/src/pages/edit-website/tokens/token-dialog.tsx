import { CopyButton } from '#design/display/copy-button.tsx';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useAccessWords } from '../access-words.ts';

/** Shows a new token, which is never shown again. */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { tokens: words } = useAccessWords();
  return (
    <Dialog title={words.yours}>
      <p class="muted">{words.copyNow}</p>
      <code class="secret">{token}</code>
      {/* The button that copies has the focus first: an Enter key held too long must not close this. */}
      <DialogButtons>
        <Button onClick={onClose}>{words.done}</Button>
        <CopyButton kind="primary" hasFocusFirst text={() => token}>
          {words.copy}
        </CopyButton>
      </DialogButtons>
    </Dialog>
  );
}
