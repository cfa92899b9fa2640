/** Calls back when the user returns to the page from another tab or window. */
export function listenForReturn(onReturn: () => void): () => void {
  let lastMs = 0;
  // Returning to a tab fires both events.
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
