export type Piece = { text: string; kind: 'plain' | 'string' | 'comment' };

/** Splits code into strings, comments and the rest, which is enough to highlight the eight languages here. */
export function colourCode(code: string, comment: '#' | '//'): Piece[] {
  const start = comment === '#' ? '#(?!\\{)' : '(?<!:)\\/\\/|\\/\\*\\*';
  const pattern = new RegExp(
    `"""[^]*?"""|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\])*'|\`(?:\\\\.|[^\`\\\\])*\`|(?:${start}).*`,
    'g',
  );
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: text, index } of code.matchAll(pattern)) {
    if (index > end) pieces.push({ text: code.slice(end, index), kind: 'plain' });
    pieces.push({ text, kind: /^["'`]/.test(text) ? 'string' : 'comment' });
    end = index + text.length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end), kind: 'plain' });
  return pieces;
}
