import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSharedWords } from '#words/shared-words.ts';
import './page-title.css';

type Crumb = { label: string; href: string };

type Props = {
  title: ComponentChildren;
  /** The title of the browser tab, needed when `title` is not a text. */
  tabTitle: string;
  crumbs?: readonly Crumb[];
  /** Shown below the title. */
  about?: ComponentChildren;
  /** Shown at the right. */
  actions?: ComponentChildren;
};

/** The head of a page. Every page renders it immediately, so that the focus has a place to go. */
export function PageTitle({ title, tabTitle, crumbs, about, actions }: Props) {
  const words = useSharedWords();
  useEffect(() => {
    document.title = `${tabTitle} · Trackside`;
  }, [tabTitle]);
  return (
    <div class="page-title">
      {crumbs !== undefined && (
        <nav class="crumbs" aria-label={words.header.breadcrumb}>
          {crumbs.map(({ label, href }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </nav>
      )}
      <div class="page-title-row">
        <h1 tabIndex={-1}>{title}</h1>
        {actions}
      </div>
      {about && <div class="page-about">{about}</div>}
    </div>
  );
}
