const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter]!);
}

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** Shows the Markdown that descriptions use: code between backticks, and lists whose lines begin with a dash. */
export function prose(text: string): string {
  const lines = text.split('\n');
  const items = lines.filter((line) => line.startsWith('- '));
  const others = lines.filter((line) => !line.startsWith('- ')).join(' ');
  const list = items.map((line) => `<li>${inline(line.slice(2))}</li>`).join('');
  return `${others === '' ? '' : `<p>${inline(others)}</p>`}${list === '' ? '' : `<ul>${list}</ul>`}`;
}

function inline(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : escapeHtml(part)))
    .join('');
}
