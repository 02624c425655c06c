// `npm test` and others; reports an older Node here, because it cannot parse run-tests.mjs.
import './check-node.cjs';

import('./run-tests.mjs');
