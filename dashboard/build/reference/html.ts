const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => entities[letter]!);
}

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`;

/** Shows the Markdown that descriptions use: code between backticks, and lists whose lines begin with a dash. */
export function prose(text: string): string {
  const lines = text.split('\n');
  const isList = lines.every((line) => line.startsWith('- '));
  if (isList) return `<ul>${lines.map((line) => `<li>${inline(line.slice(2))}</li>`).join('')}</ul>`;
  return `<p>${inline(text)}</p>`;
}

function inline(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : escapeHtml(part)))
    .join('');
}
