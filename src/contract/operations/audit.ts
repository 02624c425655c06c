import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { AuditEntry } from '../schemas/audit.ts';
import { projectScope } from '../schemas/entity.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { Id } from '../schemas/text.ts';

export const audit = {
  list_audit: operation({
    summary: 'List the audit log',
    description:
      'Lists the calls about a project, newest first: who, what, which records, when and with ' +
      'what outcome. Only owners may read it; it is empty unless `audit` is on.',
    scope: 'audit:read',
    role: 'OWNER',
    routes: [{ method: 'GET', path: '/v1/audit/', carries: 'query' }],
    status: 200,
    input: z.object({
      operation: Id.optional().describe('Only calls of this operation'),
      outcome: Id.optional().describe('Only those that ended so: ok, or the code of an error'),
      page: PageNumber.default(1),
      page_size: PageSize.default(limits.page_size_default),
      ...projectScope,
    }),
    output: pageSchema(AuditEntry).extend({
      /** Whether calls are recorded now; absent from services that do not say. */
      enabled: z.boolean().optional(),
    }),
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: { forbidden: 'only owners may read the audit log' },
    tool: null,
  }),
};
