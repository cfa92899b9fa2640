// Runs before the first paint, so that the other theme doesn't flash up before the chosen one.
try {
  // The address of a public view may name the theme, which then overrides everything else.
  const asked = location.pathname.startsWith('/share/') && new URLSearchParams(location.search).get('theme');
  const theme = asked || localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is disabled, so the page follows the system's theme.
}
