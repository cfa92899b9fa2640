/** Writes a setting as SQL does. */
export function settingText(name: string, value: string): string {
  return /^\d+(?:\.\d+)?$/.test(value) ? `${name} = ${value}` : `${name} = ${quoted(value)}`;
}

/** Writes a text as SQL does. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}
