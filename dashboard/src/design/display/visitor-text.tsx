type Props = {
  text: string;
  class?: string | undefined;
  /** Whether a path that is too long for its line continues on the next one, after a slash if possible. */
  canBreak?: boolean;
};

/**
 * A text that others have chosen. It is isolated, so that right-to-left letters don't move what is next to
 * it. A path begins at the left in every script.
 */
export function VisitorText({ text, class: className, canBreak = false }: Props) {
  return (
    <bdi class={className} dir={/^(?:\/|[\w-]+(?:\.[\w-]+)+\/)/.test(text) ? 'ltr' : undefined}>
      {canBreak ? text.split(/(?<=.\/)(?=.)/).map((part, index) => [index > 0 && <wbr />, part]) : text}
    </bdi>
  );
}
