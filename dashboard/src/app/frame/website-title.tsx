import type { ComponentChildren } from 'preact';
import { useSharedWords } from '#words/shared-words.ts';
import { PageTitle } from './page-title.tsx';
import { useWebsites } from './websites-context.tsx';

type Props = {
  websiteId: number;
  title: string;
  /** Stands in the title of the browser tab instead of `title`. */
  short?: string;
  about?: string;
  actions?: ComponentChildren;
};

/** The head of a page about one website, with the way back to its dashboard. */
export function WebsiteTitle({ websiteId, title, short = title, ...others }: Props) {
  const { header: words } = useSharedWords();
  const website = useWebsites().value?.websites.find(({ id }) => id === websiteId);
  return (
    <PageTitle
      {...others}
      title={title}
      tabTitle={website === undefined ? short : `${short} · ${website.name}`}
      crumbs={[
        { label: words.websites, href: '/websites' },
        ...(website === undefined ? [] : [{ label: website.shownDomain, href: `/websites/${websiteId}` }]),
      ]}
    />
  );
}
