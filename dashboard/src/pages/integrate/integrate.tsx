import type { Website } from '#api/shapes.ts';
import { fill } from '#words/fill.ts';
import { FirstRecord } from './first-record.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import { SnippetView } from './snippet-view.tsx';
import './integrate.css';

/** Shows how a backend sends its first record, and whether it has arrived. */
export function Integrate({ website }: { website: Website }) {
  const words = useIntegrateWords();
  return (
    <section class="card" aria-labelledby="integrate">
      <h2 id="integrate">{words.heading}</h2>
      <p class="card-about">{words.about}</p>
      <ol class="steps">
        <li class="step">
          <h3>{words.test}</h3>
          <SnippetView website={website} />
        </li>
        <li class="step">
          <h3>{words.arrive}</h3>
          <FirstRecord websiteId={website.id} />
        </li>
        <li class="step">
          <h3>{words.add}</h3>
          <p class="muted">
            {fill(words.addAbout, {
              path: <code>/api/event-view</code>,
              name: <code>Name</code>,
              parameters: <code>Parameters</code>,
            })}
          </p>
        </li>
      </ol>
    </section>
  );
}
