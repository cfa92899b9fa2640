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
        <h2 id={id} class={isDanger ? 'grow card-danger' : 'grow'}>
          {title}
        </h2>
        {aside}
      </div>
      {about !== undefined && <p class="card-about">{about}</p>}
      {children !== undefined && <div class="card-body">{children}</div>}
    </section>
  );
}
