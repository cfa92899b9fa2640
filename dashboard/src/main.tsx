// Before the styles of the pages, which build on them.
import './design/foundation/fonts.css';
import './design/foundation/tokens.css';
import './design/foundation/base.css';

import { render } from 'preact';
import { ApiContext } from './api/api-context.ts';
import { createApi } from './api/create-api.ts';
import { createConnection } from './api/create-connection.ts';
import { createRequest } from './api/create-request.ts';
import { createSignInGate } from './api/create-sign-in-gate.ts';
import { createStatsApi } from './api/stats-api.ts';
import { App } from './app/app.tsx';
import { matchRoute } from './app/routing/match-route.ts';
import { createRouter, RouterContext } from './app/routing/router.ts';
import { FormatProvider } from './format/format-context.tsx';
import { pages } from './pages/pages.ts';
import { translations } from './pages/translations.ts';
import { LanguageProvider } from './words/language-provider.tsx';

/** Creates the parts of the application and connects them. */
function start(root: HTMLElement): void {
  const connection = createConnection({
    ping: () =>
      fetch('/api/setup').then(
        ({ status }) => status < 502,
        () => false,
      ),
    wait: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms);
        window.addEventListener('online', () => resolve(), { once: true });
      }),
  });
  const gate = createSignInGate();
  const send = createRequest({ fetch: fetch.bind(window), connection, gate });
  const api = createApi(send);
  const statsApi = createStatsApi(send);
  const router = createRouter(window, (path) => matchRoute(path).page !== 'not-found');
  render(
    <LanguageProvider translations={translations}>
      <FormatProvider>
        <ApiContext.Provider value={{ api, statsApi, connection, gate }}>
          <RouterContext.Provider value={router}>
            <App pages={pages} />
          </RouterContext.Provider>
        </ApiContext.Provider>
      </FormatProvider>
    </LanguageProvider>,
    root,
  );
}

start(document.getElementById('app')!);
