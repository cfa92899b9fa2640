/** A part of the repository, and which of its rooms may import which. */
export type House = {
  folder: string;
  /** For each room, the rooms that it may import besides itself. Any other import is not allowed. */
  rooms: Record<string, readonly string[]>;
  /** What may be imported from other parts of the repository. */
  others: RegExp;
  /** Whether other rooms are imported as `#room/` and not by a path with `..`. */
  hasAliases?: true;
};

const nothing = /^$/;

/** The rooms that every other room of the server may use. */
const base = ['time', 'files', 'damage', 'concurrency', 'records', 'text', 'log', 'operator-error'];

const server: House = {
  folder: 'server/src',
  others: /^@trackside\/contract\/(?:app|calendar|stats|tracking)\//,
  rooms: {
    main: ['commands'],
    config: base,
    commands: [
      'actions',
      'backup',
      'node',
      'config',
      'control',
      'removal',
      'demo',
      'intake',
      'journal',
      'loader',
      'store',
      'stats',
      ...base,
    ],
    node: [
      'backup',
      'http',
      'demo',
      'removal',
      'intake',
      'loader',
      'control',
      'journal',
      'stats',
      'store',
      ...base,
    ],
    backup: ['loader', 'journal', 'store', 'control', ...base],
    demo: ['intake', 'store', ...base],
    http: ['actions', 'removal', 'intake', 'stats', 'control', ...base],
    actions: ['control', ...base],
    removal: ['intake', 'stats', 'store', 'control', ...base],
    intake: ['control', 'journal', ...base],
    stats: ['control', 'store', ...base],
    loader: ['journal', 'store', ...base],
    engine: base,
    control: base,
    journal: base,
    store: base,
    damage: ['time', 'files', 'log'],
    files: ['log', 'operator-error'],
    time: [],
    concurrency: [],
    records: [],
    text: [],
    log: [],
    'operator-error': [],
  },
};

const dashboard: House = {
  folder: 'dashboard/src',
  others: /^@trackside\/contract\/(?:app|calendar|stats)\//,
  hasAliases: true,
  rooms: {
    main: ['pages', 'app', 'api', 'design', 'format', 'words'],
    pages: ['app', 'forms', 'design', 'format', 'api', 'words', 'browser'],
    app: ['forms', 'design', 'format', 'api', 'words', 'browser'],
    forms: ['design', 'format', 'api', 'words'],
    design: ['format', 'words', 'browser'],
    format: ['api', 'words', 'browser'],
    api: ['browser'],
    words: ['browser'],
    browser: [],
  },
};

const sdk: House = {
  folder: 'sdk/src',
  others: /^@trackside\/contract\/tracking\//,
  rooms: {
    adapters: ['handler', 'client', 'record', 'request'],
    handler: ['client', 'location', 'visitor', 'script', 'record', 'request'],
    client: ['queue', 'sending', 'record', 'faults', 'time'],
    queue: ['sending', 'record', 'faults', 'time'],
    location: ['visitor', 'record', 'request'],
    visitor: ['request'],
    sending: ['record', 'faults', 'time'],
    record: ['faults'],
    faults: ['time'],
    request: [],
    script: [],
    time: [],
  },
};

const contract: House = {
  folder: 'contract',
  others: nothing,
  rooms: {
    app: ['tracking', 'stats', 'calendar'],
    stats: ['calendar'],
    tracking: [],
    calendar: [],
  },
};

export const houses: readonly House[] = [server, dashboard, sdk, contract];
