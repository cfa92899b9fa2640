import { examinePages } from './examine-pages.ts';

examinePages({
  ...{ name: '360 pixels', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
  ...{ hasTouch: true, isMobile: true },
});
