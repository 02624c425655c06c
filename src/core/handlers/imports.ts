import type { Deps, Handlers } from '../ports/index.ts';

export function createImportHandlers(deps: Deps): Pick<Handlers, 'import_memories'> {
  return {
    import_memories: async (input, call) => {
      const { importRequest } = await import('../archive/import-request.ts'); // few import
      return importRequest(deps, input, call);
    },
  };
}
