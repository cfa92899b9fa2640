import { useEffect } from 'preact/hooks';
import type { Website } from '#api/shapes.ts';
import { PageTitle } from '#app/frame/page-title.tsx';
import { Banner } from '#design/display/banner.tsx';
import { Button } from '#design/forms/button.tsx';
import { fill } from '#words/fill.ts';
import { Integrate } from '../integrate/integrate.tsx';
import { FirstRun } from './first-run.tsx';
import type { DemoControl } from './use-demo.ts';
import { useWebsiteWords } from './website-words.ts';

type Props = {
  website: Website;
  control: DemoControl;
  /** The first record has arrived and is counted. */
  hasFirst: boolean;
  /** Continues to the statistics. */
  open: () => void;
};

/** Long enough to read what Trackside understood of the first record. */
const readingMs = 12_000;

/**
 * Shows how to get started on a website that has never sent a record. The statistics open on their own once
 * it has.
 */
export function NoRecords({ website, control, hasFirst, open }: Props) {
  const { first: words, websites } = useWebsiteWords();
  const isDemo = control.demo !== undefined && control.demo.state !== 'none';
  // The records of a demo are there before it is complete. It opens the dashboard when it is.
  const isReal = hasFirst && !isDemo;
  useEffect(() => {
    if (!isReal) return;
    const timer = setTimeout(open, readingMs);
    return () => clearTimeout(timer);
  }, [isReal, open]);
  return (
    <>
      <PageTitle
        title={website.name}
        tabTitle={website.name}
        crumbs={[{ label: websites, href: '/websites' }]}
        about={
          <a href={`https://${website.domain}/`} target="_blank" rel="noopener noreferrer">
            {website.shownDomain}
          </a>
        }
      />
      <div class="no-records" role="status">
        {isReal && (
          <Banner kind="good">
            <b>{words.title}</b>{' '}
            {fill(words.about, { link: <a href={`/websites/${website.id}/integrate`}>{words.link}</a> })}
            <div class="row">
              <Button isSmall onClick={open}>
                {words.open}
              </Button>
            </div>
          </Banner>
        )}
      </div>
      <div class="stack">
        <FirstRun website={website} control={control} open={open} />
        <Integrate website={website} />
      </div>
    </>
  );
}
