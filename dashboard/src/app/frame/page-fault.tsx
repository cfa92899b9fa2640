import { EmptyState } from '#design/display/empty-state.tsx';
import { Button } from '#design/forms/button.tsx';

/** When a part of the application itself cannot be fetched, or fails. */
export function PageFault() {
  return (
    <EmptyState
      title="This page could not be loaded"
      action={
        <Button kind="primary" onClick={() => location.reload()}>
          Load again
        </Button>
      }
    >
      A new version may have been installed meanwhile. If loading it again does not help, the browser's
      console says more.
    </EmptyState>
  );
}
