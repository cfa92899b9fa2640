import type { ComponentChildren } from 'preact';
import type { Fault } from '#api/fault.ts';
import type { Resource } from '#api/use-resource.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { Button } from '#design/forms/button.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { WebsiteNotFound } from './website-not-found.tsx';

type Props<Value> = {
  resource: Resource<Value>;
  /** Shown while the value is loading, in the size of the content. */
  skeleton: ComponentChildren;
  children: (value: Value) => ComponentChildren;
};

/** Renders a resource that is loading, loaded or unavailable. */
export function Loaded<Value>({ resource, skeleton, children }: Props<Value>) {
  const words = useSharedWords();
  const { value, fault, reload } = resource;
  if (value !== undefined) return <>{children(value)}</>;
  // The page reconnects by itself, and the banner already reports a lost connection.
  if (fault !== undefined && fault.kind !== 'unreachable')
    return <FaultState fault={fault} onRetry={reload} />;
  return (
    <div aria-busy="true">
      <span class="unseen" role="status">
        {words.loading}
      </span>
      {skeleton}
    </div>
  );
}

function FaultState({ fault, onRetry }: { fault: Fault; onRetry: () => void }) {
  const spellFault = useSpellFault({ hasRetry: true });
  const words = useSharedWords();
  if (fault.kind === 'not-found') return <WebsiteNotFound />;
  const title = fault.kind === 'unavailable' ? words.notAvailable : words.notLoaded;
  return (
    <EmptyState title={title} action={<Button onClick={onRetry}>{words.tryAgain}</Button>}>
      {spellFault(fault)}
    </EmptyState>
  );
}
