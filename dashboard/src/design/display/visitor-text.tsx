/**
 * A text that others have chosen. It is isolated, so that right-to-left letters don't move what is next to
 * it. A path begins at the left in every script.
 */
export function VisitorText({ text, class: className }: { text: string; class?: string | undefined }) {
  return (
    <bdi class={className} dir={/^(?:\/|[\w-]+(?:\.[\w-]+)+\/)/.test(text) ? 'ltr' : undefined}>
      {text}
    </bdi>
  );
}
