// Regions are switched without loading a page: a small single-page application, like many shops.
const heading = document.getElementById('heading');
const choices = [...document.querySelectorAll('[data-choose]')];

function showRegion() {
  const current = choices.find((choice) => new URL(choice.href).pathname === location.pathname);
  if (current === undefined) return;
  for (const choice of choices) choice.toggleAttribute('aria-current', choice === current);
  current.setAttribute('aria-current', 'page');
  const { choose } = current.dataset;
  for (const card of document.querySelectorAll('[data-region]'))
    card.hidden = choose !== '' && card.dataset.region !== choose;
  heading.textContent = current.textContent;
  document.title = `${current.textContent} · Isoline`;
}

for (const choice of choices) {
  choice.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (location.href === choice.href) return;
    history.pushState(null, '', choice.href);
    showRegion();
  });
}
window.addEventListener('popstate', showRegion);

// An order is reported once, however often its page is opened. Without Trackside's script, nothing happens.
const ordered = document.querySelector('[data-order]');
if (ordered !== null && sessionStorage.getItem('told-order') !== ordered.dataset.order) {
  sessionStorage.setItem('told-order', ordered.dataset.order);
  window.trackside?.('Order', { prints: ordered.dataset.prints, total: ordered.dataset.total });
}
