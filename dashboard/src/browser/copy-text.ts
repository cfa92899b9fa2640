/**
 * Puts a text on the clipboard that may still have to be fetched. Safari wants to be handed the promise
 * within the click; a page without TLS has no clipboard object, only the old command.
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  const promise = Promise.resolve(text);
  try {
    if (navigator.clipboard !== undefined) {
      if (typeof ClipboardItem !== 'undefined') {
        const blob = promise.then((value) => new Blob([value], { type: 'text/plain' }));
        await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      } else await navigator.clipboard.writeText(await promise);
      return true;
    }
  } catch {
    // Not allowed, or the promise failed: the old way tells which.
  }
  return copyByCommand(await promise);
}

function copyByCommand(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  // Inside an open dialog, because what is outside of one cannot be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
  }
}
