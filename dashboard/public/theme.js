// Runs before the first paint, so that a chosen theme does not flash in from the other one.
try {
  // A public view may be told its theme by its address, and then by nothing else.
  const asked = location.pathname.startsWith('/share/') && new URLSearchParams(location.search).get('theme');
  const theme = asked || localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme it is.
}
