import { CopyButton } from '#design/display/copy-button.tsx';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';

/** Shows a new token, which is never shown again. */
export function TokenDialog({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog title="Your read token">
      <p class="muted">Copy it now. Only its hash is kept, so it cannot be shown again.</p>
      <code class="secret">{token}</code>
      <div class="dialog-buttons">
        <CopyButton kind="primary" text={() => token}>
          Copy token
        </CopyButton>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}
