import type { Deps, Handlers } from '../ports/index.ts';

/** Few ask for exports. */
const loadExports = () => import('./export-requests.ts');

export function createExportHandlers(deps: Deps): Pick<Handlers, 'create_export' | 'get_export'> {
  return {
    create_export: async (input, call) => (await loadExports()).createExport(deps, input, call),
    get_export: async (input, call) => (await loadExports()).getExport(deps, input, call),
  };
}
