import type { Deps, Handlers } from '../ports/index.ts';

export function createAuditHandlers({
  store,
  audit,
}: Pick<Deps, 'store' | 'audit'>): Pick<Handlers, 'list_audit'> {
  return {
    list_audit: async (query, { project }) => {
      const { page, page_size } = query;
      const entries = await store.audit.list(project.project_id, query);
      return { ...entries, page, page_size, enabled: audit !== undefined };
    },
  };
}
