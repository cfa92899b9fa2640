import { examinePages } from './examine-pages.ts';

examinePages({ name: 'desktop', viewport: { width: 1280, height: 900 } });
