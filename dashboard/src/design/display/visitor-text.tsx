/**
 * A text that others have chosen. It is isolated, so that letters from right to left don't move what stands
 * beside it. A path begins at the left in every script.
 */
export function VisitorText({ text, class: className }: { text: string; class?: string | undefined }) {
  return (
    <bdi class={className} dir={/^(?:\/|[\w-]+(?:\.[\w-]+)+\/)/.test(text) ? 'ltr' : undefined}>
      {text}
    </bdi>
  );
}
