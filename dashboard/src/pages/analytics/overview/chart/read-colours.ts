const names = { accent: '--accent', line: '--line', faint: '--ink-3', second: '--second' } as const;

export type Colours = Record<keyof typeof names, string> & { font: string };

/** Reads the design tokens that a canvas needs. In print they are those of the light theme. */
export function readColours(host: HTMLElement, isPrint: boolean): Colours {
  const probe = document.createElement('span');
  if (isPrint) probe.style.colorScheme = 'light';
  host.append(probe);
  const style = getComputedStyle(probe);
  const read = (name: string) => {
    // A custom property returns its source text. Only a property that uses it has the color of the theme.
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const colours = {
    accent: read(names.accent),
    line: read(names.line),
    faint: read(names.faint),
    second: read(names.second),
    font: `12px ${style.fontFamily}`,
  };
  probe.remove();
  return colours;
}

/** Makes a color from `getComputedStyle` partly transparent. */
export const fade = (colour: string, share: number): string =>
  colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`);
