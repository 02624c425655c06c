// `npm test` and its like; an older Node is told here, because it does not read run-tests.mjs.
import './check-node.cjs';

import('./run-tests.mjs');
