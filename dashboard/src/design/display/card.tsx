import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import './card.css';

type Props = {
  title: string;
  /** One sentence about its purpose. */
  about?: ComponentChildren;
  isDanger?: boolean;
  /** Shown to the right of the title. */
  aside?: ComponentChildren;
  children?: ComponentChildren;
};

export function Card({ title, about, isDanger, aside, children }: Props) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <div class="grow">
          <h2 id={id} class={isDanger ? 'card-danger' : undefined}>
            {title}
          </h2>
          {about !== undefined && <p class="card-about">{about}</p>}
        </div>
        {aside}
      </div>
      {children !== undefined && <div class="card-body">{children}</div>}
    </section>
  );
}
