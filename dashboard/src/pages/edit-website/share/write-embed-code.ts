export type EmbedTheme = 'light' | 'dark' | 'system';

/** Writes an inline frame with the public view. Its height fits a desktop and can be changed. */
export function writeEmbedCode(address: string, title: string, theme: EmbedTheme): string {
  const source = `${address}/embed${theme === 'system' ? '' : `?theme=${theme}`}`;
  const style = 'width: 100%; height: 1800px; border: 0';
  return `<iframe src="${quote(source)}" title="${quote(title)}" loading="lazy" style="${style}"></iframe>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const quote = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!);
