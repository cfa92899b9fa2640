import type { Website } from '#api/shapes.ts';
import { FirstRecord } from './first-record.tsx';
import { SnippetView } from './snippet-view.tsx';
import './integrate.css';

/** Shows how a backend sends its first record, and whether it has arrived. */
export function Integrate({ website }: { website: Website }) {
  return (
    <section class="card" aria-labelledby="integrate">
      <h2 id="integrate">Send records from your backend</h2>
      <p class="card-about">
        Each page view goes from your server to this one, where blockers in browsers do not reach.
      </p>
      <ol class="steps">
        <li class="step">
          <h3>Run this once, to see it work</h3>
          <SnippetView website={website} />
        </li>
        <li class="step">
          <h3>See it arrive</h3>
          <FirstRecord websiteId={website.id} />
        </li>
        <li class="step">
          <h3>Put it where your pages are served</h3>
          <p class="muted">
            Send a page view for each page, and an event to <code>/api/event-view</code> for what matters to
            you: a sign-up, a purchase. The body of an event has a <code>Name</code> and up to 12{' '}
            <code>Parameters</code> besides.
          </p>
        </li>
      </ol>
    </section>
  );
}
