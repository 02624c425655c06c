import { ApiError } from '../../contract/errors.ts';
import type { storeOperations } from '../../contract/operations/store.ts';
import { isoDayOf } from '../../contract/wall-clock.ts';
import type { Deps, Handlers, Installation } from '../ports/index.ts';

export function createStoreHandlers(deps: Deps): Pick<Handlers, keyof typeof storeOperations> {
  const { store, clock } = deps;

  return {
    list_models: async () => {
      const models = await installed(deps).models();
      const tokens_today = await store.tokens.getUsage(isoDayOf(clock.now()));
      return { ...models, tokens_today };
    },

    get_configuration: async () => installed(deps).configuration,

    create_backup: async () => {
      const created_at = clock.now();
      const copy = await installed(deps).backUp(created_at);
      return { ...copy, created_at };
    },
  };
}

function installed({ installation }: Deps): Installation {
  if (installation !== undefined) return installation;
  throw new ApiError('invalid', 'this engine runs without a configuration');
}
