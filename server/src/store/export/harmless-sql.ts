/** The same as in harmlessText, written for ClickHouse's regular expressions. */
const controls = String.raw`[\x{0000}-\x{001f}\x{007f}\x{0085}\x{2028}\x{2029}]+`;
const skipped = String.raw`[ "\x{00a0}\x{1680}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000}\x{feff}]*`;
const formula = String.raw`(^|[,;])(${skipped})([=+\-@\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}])`;

const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * Makes a text column safe, so that no spreadsheet takes a value for a formula. Most values contain none of
 * these characters.
 */
export function harmlessSql(column: string): string {
  const oneLine = `replaceRegexpAll(${column}, ${literal(controls)}, ' ')`;
  const changed = `replaceRegexpAll(${oneLine}, ${literal(formula)}, ${literal("\\1\\2'\\3")})`;
  return `if(match(${column}, ${literal(`${controls}|${formula}`)}), ${changed}, ${column})`;
}
