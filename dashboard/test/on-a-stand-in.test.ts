import { testAnalyticsView } from './behaviour/analytics-view.ts';
import { testAround } from './behaviour/around.ts';
import { testBelowTheFold } from './behaviour/below-the-fold.ts';
import { createOpener } from './behaviour/create-opener.ts';
import { testDialogsAndLists } from './behaviour/dialogs-and-lists.ts';
import { testOnAPhone } from './behaviour/on-a-phone.ts';
import { testOtherWords } from './behaviour/other-words.ts';
import { testQuality } from './behaviour/quality.ts';
import { testSettings } from './behaviour/settings.ts';
import { testPages } from './pages.ts';
import { prepareStandIn } from './prepare-stand-in.ts';

// What pages do when somebody uses them, and how they look, on a stand-in for the server.

const prepared = prepareStandIn();
const open = createOpener(prepared);
testSettings(open);
testAround(open);
testDialogsAndLists(open);
testAnalyticsView(open);
testOnAPhone(open);
testBelowTheFold(open);
testOtherWords(open);
testQuality(open);
testPages(prepared);
