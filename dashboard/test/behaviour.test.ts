import { testAnalyticsView } from './behaviour/analytics-view.ts';
import { testAround } from './behaviour/around.ts';
import { testBelowTheFold } from './behaviour/below-the-fold.ts';
import { createOpener } from './behaviour/create-opener.ts';
import { testOtherWords } from './behaviour/other-words.ts';
import { testSettings } from './behaviour/settings.ts';

// What pages do when somebody uses them, on a stand-in for the server.

const open = createOpener();
testSettings(open);
testAround(open);
testAnalyticsView(open);
testBelowTheFold(open);
testOtherWords(open);
