/** Calls back when the page is looked at again: another tab was in front, or another window. */
export function listenForReturn(onReturn: () => void): () => void {
  let lastMs = 0;
  // Coming back to a tab is told twice, by both events.
  const look = () => {
    if (document.visibilityState !== 'visible' || performance.now() - lastMs < 500) return;
    lastMs = performance.now();
    onReturn();
  };
  document.addEventListener('visibilitychange', look);
  window.addEventListener('focus', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    window.removeEventListener('focus', look);
  };
}
