import { examinePages } from './examine-pages.ts';

examinePages({ name: 'desktop', colorScheme: 'light', viewport: { width: 1280, height: 900 } });
