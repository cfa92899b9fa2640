/** Runs in the browser before the page does, and notes when things appear and what moves. */
const watched = { firstPaintMs: undefined, filledMs: undefined, shift: 0, shifted: [] };
globalThis.watched = watched;

const titles = ['Sources', 'Pages', 'Locations', 'Devices', 'Events'];
const waiting = '.skeleton, .chart-waiting, [aria-busy="true"]';

const observe = (type, take) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
observe('paint', ({ name, startTime }) => {
  if (name === 'first-contentful-paint') watched.firstPaintMs = startTime;
});
observe('layout-shift', ({ value, hadRecentInput, sources }) => {
  if (hadRecentInput) return;
  watched.shift += value;
  const what = sources.map(({ node }) => node?.className || node?.nodeName).join(', ');
  watched.shifted.push({ what, shift: value });
});

function isFilled() {
  if (location.pathname === '/sign-in') return document.querySelector('form') !== null;
  const overview = document.querySelector('.overview');
  if (overview?.querySelector('canvas') == null || isWaiting(overview)) return false;
  const panels = new Map(
    [...document.querySelectorAll('.panel')].map((panel) => [
      panel.querySelector('h2')?.textContent ?? '',
      panel,
    ]),
  );
  const isThere = (title) => {
    const panel = panels.get(title);
    return panel?.querySelector('li') != null && !isWaiting(panel);
  };
  return titles.every(isThere) && panels.get('Locations').querySelector('.map-country') !== null;
}

const isWaiting = (element) => element.matches(waiting) || element.querySelector(waiting) !== null;

function look() {
  if (!isFilled()) return requestAnimationFrame(look);
  // By the next frame, this one has been drawn.
  requestAnimationFrame((nowMs) => {
    watched.filledMs = nowMs;
  });
}
requestAnimationFrame(look);
