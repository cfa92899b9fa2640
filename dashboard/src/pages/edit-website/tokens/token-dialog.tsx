import { CopyButton } from '#design/display/copy-button.tsx';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useAccessWords } from '../access-words.ts';

/** Shows a new token, which is never shown again. */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const { tokens: words } = useAccessWords();
  return (
    <Dialog title={words.yours}>
      <p class="muted">{words.copyNow}</p>
      <code class="secret">{token}</code>
      {/* The button that copies has the focus first: an Enter key held too long must not close this. */}
      <div class="dialog-buttons">
        <CopyButton kind="primary" text={() => token}>
          {words.copy}
        </CopyButton>
        <Button onClick={onClose}>{words.done}</Button>
      </div>
    </Dialog>
  );
}
