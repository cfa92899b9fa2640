import { EmptyState } from '#design/display/empty-state.tsx';
import { Button } from '#design/forms/button.tsx';

/** Shown when a part of the application can't be loaded or throws an error. */
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
