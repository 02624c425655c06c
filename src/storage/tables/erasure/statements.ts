import type { ErasureTable } from '../../../core/ports/index.ts';
import type { StatementsOf } from '../../sql/statement.ts';

/** Few calls erase, so the code for that is loaded at the first use. */
const erasure = () => import('./erasure.ts');

export const erasureStatements: StatementsOf<ErasureTable> = {
  select: { scope: 'project', run: async (...args) => (await erasure()).selectSubject(...args) },
  count: { scope: 'project', run: async (...args) => (await erasure()).countAll(...args) },
  countOwn: { scope: 'project', run: async (...args) => (await erasure()).countOwn(...args) },
  erase: { scope: 'project', run: async (...args) => (await erasure()).eraseAll(...args) },
  overwriteDeleted: {
    scope: 'project',
    run: ({ db, dialect }) => dialect.overwriteDeleted(db),
  },
};
