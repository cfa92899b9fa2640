/**
 * Copies a text, which may have to be fetched first, to the clipboard. Safari needs the promise during the
 * click. A page without TLS has no clipboard object, only the old command.
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
    // Copying was not allowed, or the promise was rejected. The old command finds out which.
  }
  return copyByCommand(await promise);
}

function copyByCommand(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  // Nothing outside of an open dialog can be selected, so the field goes inside.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
  }
}
