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
      'Lists the recorded calls of a project, newest first: caller, operation, records, time and ' +
      'outcome. Only owners may read the audit log; it is empty unless the option `audit` is on.',
    scope: 'audit:read',
    role: 'OWNER',
    routes: [{ method: 'GET', path: '/v1/audit/', carries: 'query' }],
    status: 200,
    input: z.object({
      operation: Id.optional().describe('Limit to this operation'),
      outcome: Id.optional().describe('Limit to this outcome: ok, or an error code'),
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
