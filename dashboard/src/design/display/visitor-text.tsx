/**
 * A text that others have chosen. It is isolated, so that right-to-left letters don't move what is next to
 * it. A path begins at the left in every script. If it is too long for its line, it continues on the next
 * one, after a slash if possible.
 */
export function VisitorText({ text, class: className }: { text: string; class?: string | undefined }) {
  return (
    <bdi class={className} dir={/^(?:\/|[\w-]+(?:\.[\w-]+)+\/)/.test(text) ? 'ltr' : undefined}>
      {text.split(/(?<=.\/)(?=.)/).flatMap((part) => [<wbr />, part])}
    </bdi>
  );
}
