import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import type { MatrixShot } from './matrix-state.ts';

/** A piece of a picture on a sheet. */
type Piece = { shot: MatrixShot; scale: number; from: number; to: number };
type Placed = Piece & { x: number; y: number };

/** As large as possible without being scaled down when it is viewed. */
const sheet = { width: 1092, height: 1092 };
const gap = 8;
const label = 14;
const columns = Math.floor(sheet.width / gap);

/** By the width of the screen, large enough to read the words. */
const scales: Record<number, number> = { 360: 0.6, 768: 0.4, 1280: 0.42, 2200: 0.31 };

/** Arranges the pictures on sheets that can be viewed one after the other. Returns how many there are. */
export async function makeSheets(
  browser: Browser,
  shots: readonly MatrixShot[],
  folder: string,
): Promise<number> {
  const states = [...Map.groupBy(shots, ({ state }) => state).values()];
  const sheets = arrange(states.flatMap((of) => toPieces(of)));
  const page = await browser.newPage({ viewport: sheet });
  const file = join(folder, 'sheet.html');
  for (const [index, placed] of sheets.entries()) {
    await writeFile(file, toHtml(placed));
    await page.goto(pathToFileURL(file).href);
    const name = `sheet-${String(index + 1).padStart(3, '0')}.png`;
    await page.screenshot({ path: join(folder, name) });
  }
  await page.close();
  return sheets.length;
}

/** Each language in one theme first, then in the other one, so that what belongs together is on one sheet. */
function toPieces(shots: readonly MatrixShot[]): Piece[] {
  const isFirst = ({ theme, language }: MatrixShot) => (theme === 'light') === (language === 'en');
  return shots
    .toSorted((one, other) => order(one) - order(other))
    .flatMap((shot) => {
      const usual = Math.max(scales[shot.screen.width]!, Math.min(0.55, 300 / shot.width));
      const scale = usual * (isSecondWide(shot) ? 0.55 : 1);
      const most = Math.floor((sheet.height - label - 2 * gap) / scale);
      return Array.from({ length: Math.ceil(shot.height / most) }, (_, index) => {
        const from = index * most;
        return { shot, scale, from, to: Math.min(shot.height, from + most) };
      });
    });

  /** The words of the widest pictures are those of the others. */
  function isSecondWide({ screen, language, width }: MatrixShot): boolean {
    return screen.width === 2200 && language === 'de' && width > 1000;
  }

  function order(shot: MatrixShot): number {
    return (isFirst(shot) ? 0 : 10) + [1280, 360, 768, 2200].indexOf(shot.screen.width);
  }
}

/** Places each piece as high as possible, on one of the last sheets or on a new one. */
function arrange(pieces: readonly Piece[]): Placed[][] {
  const sheets: { placed: Placed[]; filled: number[] }[] = [];
  for (const piece of pieces) {
    const width = Math.min(columns, Math.ceil((piece.shot.width * piece.scale) / gap) + 1);
    const height = (piece.to - piece.from) * piece.scale + label + gap;
    const fits = ({ filled }: { filled: number[] }) => findPlace(filled, width).y + height <= sheet.height;
    let found = sheets.slice(-3).find(fits);
    if (found === undefined) {
      found = { placed: [], filled: Array.from({ length: columns }, () => 0) };
      sheets.push(found);
    }
    const { column, y } = findPlace(found.filled, width);
    found.placed.push({ ...piece, x: column * gap, y });
    found.filled.fill(y + height, column, column + width);
  }
  return sheets.map(({ placed }) => placed);
}

/** The highest place that is wide enough, given how far each column is filled. */
function findPlace(filled: readonly number[], width: number): { column: number; y: number } {
  let best = { column: 0, y: Number.POSITIVE_INFINITY };
  for (let column = 0; column + width <= columns; column += 1) {
    const y = Math.max(...filled.slice(column, column + width));
    if (y < best.y) best = { column, y };
  }
  return best;
}

function toHtml(placed: readonly Placed[]): string {
  const pieces = placed.map(({ shot, scale, from, to, x, y }) => {
    const width = shot.width * scale;
    const name = `${shot.state} ${shot.screen.width} ${shot.language} ${shot.theme} ${from > 0 ? '…' : ''}`;
    return `<div style="left:${x}px;top:${y}px;width:${width}px">
      <p style="width:${width}px">${name}</p>
      <div style="height:${(to - from) * scale}px"><img src="${shot.file}" style="width:${width}px;margin-top:${-from * scale}px"></div>
    </div>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #b9b2a5; font: 10px sans-serif }
    body > div { position: absolute }
    p { margin: 0; height: ${label}px; overflow: hidden; white-space: nowrap }
    div > div { overflow: hidden }
    img { display: block }
  </style>${pieces.join('\n')}`;
}
