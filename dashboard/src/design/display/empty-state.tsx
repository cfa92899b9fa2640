import type { ComponentChildren } from 'preact';
import './empty-state.css';

type Props = { title: string; children?: ComponentChildren; action?: ComponentChildren };

/** Shown where there is nothing yet. It says what will be here and how to get started. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action && <div class="row empty-action">{action}</div>}
    </div>
  );
}
