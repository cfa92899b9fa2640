const names = { accent: '--accent', line: '--line', faint: '--ink-3' } as const;

export type Colours = Record<keyof typeof names, string> & { font: string };

/** The tokens as a canvas needs them. On paper, they are those of the light theme. */
export function readColours(host: HTMLElement, isPrint: boolean): Colours {
  const probe = document.createElement('span');
  if (isPrint) probe.style.colorScheme = 'light';
  host.append(probe);
  const style = getComputedStyle(probe);
  const read = (name: string) => {
    // A variable is read as it was written: only a property that uses it has the colour of the theme.
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const colours = {
    accent: read(names.accent),
    line: read(names.line),
    faint: read(names.faint),
    // A whole number: uPlot scales nothing else to a finer screen.
    font: `12px ${style.fontFamily}`,
  };
  probe.remove();
  return colours;
}

/** A colour as `getComputedStyle` tells it, with some of what is behind it. */
export const fade = (colour: string, share: number): string =>
  colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`);
