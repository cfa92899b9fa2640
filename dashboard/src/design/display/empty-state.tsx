import type { ComponentChildren } from 'preact';
import './empty-state.css';

type Props = {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
  /** Whether there is nothing else on the page. */
  isPage?: boolean;
};

/** Shown where there is nothing yet. It says what will be here and how to get started. */
export function EmptyState({ title, children, action, isPage = false }: Props) {
  return (
    <div class="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <p>{children}</p>}
      {action && <div class="row empty-action">{action}</div>}
    </div>
  );
}
