import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation, type Tool } from '../operation.ts';
import { changeTypes } from '../schemas/change.ts';
import { AsOf, SnapshotName } from '../schemas/clocks.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { Flag, numeric } from '../schemas/query-values.ts';
import { recordId } from '../schemas/record-id.ts';
import { Id } from '../schemas/text.ts';

/** One memory before and after; null where it was not there. */
const MemoryDifference = z.object({
  id: z.string(),
  event: z.enum(changeTypes),
  old_memory: z.string().nullable(),
  memory: z.string().nullable(),
  /** What an undo sets beside the text, such as the pin. */
  changed: z.record(z.string(), z.unknown()).optional(),
});
export type MemoryDifference = z.output<typeof MemoryDifference>;

/** A change of one memory, in the order in which the store recorded it. */
const MemoryChange = z.object({
  id: z.string(),
  memory_id: z.string(),
  event: z.enum(changeTypes),
  old_memory: z.string().nullable(),
  memory: z.string().nullable(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  categories: z.array(z.string()),
  /** When it was recorded, by the clock of the machine, which may be set back. */
  recorded_at: z.string(),
  /** `after` this, the next change comes. */
  cursor: z.string(),
});
export type MemoryChange = z.output<typeof MemoryChange>;

const Snapshot = z.object({ name: z.string(), as_of: z.string(), created_at: z.string() });
export type Snapshot = z.output<typeof Snapshot>;

function changesTool(action: string, fields: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage changes',
    description: 'Undo changes, compare two times, and name times (snapshots).',
    group: { name: 'manage_changes', action },
    toolsets: ['memories'],
    destructive: false,
    idempotent: true,
    fields,
    ...hints,
  };
}

const UndoInput = z
  .object({
    event_id: recordId('event', 'event_id').optional().describe('All changes of this event'),
    memory_id: recordId('history', 'memory_id').optional().describe('This memory only'),
    as_of: AsOf.optional().describe('The memory as it was then'),
    since: AsOf.optional().describe('All changes after this time'),
    key_id: Id.optional().describe('Changes made with this key'),
    ...entityScope,
    dry_run: Flag.default(false).describe('Report only; change nothing'),
    force: Flag.default(false).describe('Also undo later changes'),
    ...projectScope,
  })
  .superRefine(({ event_id, memory_id, as_of, since, key_id }, ctx) => {
    const selectors = [event_id, memory_id, since].filter((value) => value !== undefined);
    if (selectors.length > 1) {
      const message = 'send only one of event_id, memory_id and since, or none for the last change';
      ctx.addIssue({ code: 'custom', path: ['event_id'], message });
    }
    if (key_id !== undefined && since === undefined) {
      ctx.addIssue({ code: 'custom', path: ['key_id'], message: 'needs since' });
    }
    if (as_of !== undefined && memory_id === undefined) {
      const message = 'needs a memory_id; send since for all memories';
      ctx.addIssue({ code: 'custom', path: ['as_of'], message });
    }
  });

/** Opaque to callers; its shape is core's. */
const ChangeCursor = z.string().min(1).max(limits.id_max_chars);

export const changes = {
  list_changes: operation({
    summary: 'List changes since a cursor',
    description:
      'Lists the changes of memories after a cursor, in the order in which they were recorded, ' +
      'and the cursor to continue with. Without `after`, it begins with the oldest change that ' +
      'is kept.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/changes/', carries: 'query' }],
    status: 200,
    input: z.object({
      after: ChangeCursor.optional().describe('Cursor, or "now"'),
      ...entityScope,
      limit: numeric(z.int().min(1).max(limits.changes_limit_max))
        .default(limits.changes_limit_default)
        .describe(`Maximum changes, default ${limits.changes_limit_default}`),
      ...projectScope,
    }),
    output: z.object({
      results: z.array(MemoryChange),
      /** Where to go on, also if there was nothing. */
      cursor: z.string(),
      has_more: z.boolean(),
    }),
    errors: ['invalid', 'not_found'],
    streams: true,
    // A cursor is for programs: agents ask what changed by time, with `diff_changes`.
    tool: null,
  }),

  undo_changes: operation({
    summary: 'Undo changes',
    description:
      'Undoes the changes of an event, the last change of one memory, or all changes since a ' +
      'time; by default the last change. An undo is itself a change and can be undone.',
    scope: 'memories:write',
    routes: [{ method: 'POST', path: '/v1/changes/undo/', carries: 'body' }],
    status: 200,
    input: UndoInput,
    output: z.object({
      message: z.string(),
      /** The event of the undo; null if nothing was changed. */
      event_id: z.string().nullable(),
      dry_run: z.boolean(),
      changes: z.array(MemoryDifference),
      /** What was left alone, and why. */
      conflicts: z.array(z.object({ id: z.string(), reason: z.string() })),
      /** What is undone was itself an undo: an earlier change has to be named. */
      redo: z.boolean().optional(),
    }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: changesTool(
      'undo',
      ['event_id', 'memory_id', 'as_of', 'since', 'user_id', 'dry_run', 'force', 'project_id'],
      { destructive: true, idempotent: false },
    ),
  }),

  diff_changes: operation({
    summary: 'Compare two times',
    description: 'Lists the memories that were added, changed and removed between two times.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/changes/diff/', carries: 'query' }],
    status: 200,
    input: z.object({
      from: AsOf.describe('Earlier time or snapshot'),
      to: AsOf.optional().describe('Later one, default now'),
      ...entityScope,
      limit: numeric(z.int().min(1).max(limits.diff_limit_max))
        .default(limits.diff_limit_default)
        .describe(`Maximum memories, default ${limits.diff_limit_default}`),
      ...projectScope,
    }),
    output: z.object({
      from: z.string(),
      to: z.string(),
      added: z.array(MemoryDifference),
      changed: z.array(MemoryDifference),
      removed: z.array(MemoryDifference),
      has_more: z.boolean(),
    }),
    errors: ['invalid', 'not_found'],
    tool: changesTool('diff', ['from', 'to', 'user_id', 'project_id']),
  }),

  create_snapshot: operation({
    summary: 'Create a snapshot',
    description: 'Names a time, by default now. `as_of` accepts that name.',
    scope: 'memories:write',
    routes: [{ method: 'POST', path: '/v1/snapshots/', carries: 'body' }],
    status: 201,
    input: z.object({
      name: SnapshotName.describe('Snapshot'),
      as_of: AsOf.optional().describe('Time, default now'),
      ...projectScope,
    }),
    output: Snapshot,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    tool: changesTool('create_snapshot', ['name', 'as_of', 'project_id'], { idempotent: false }),
  }),

  list_snapshots: operation({
    summary: 'List snapshots',
    description: 'Lists the snapshots of a project, the newest first.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/snapshots/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: z.object({ results: z.array(Snapshot) }),
    errors: ['invalid', 'not_found'],
    tool: changesTool('list_snapshots', ['project_id']),
  }),

  delete_snapshot: operation({
    summary: 'Delete a snapshot',
    description: 'Deletes a snapshot. Memories do not change.',
    scope: 'memories:write',
    routes: [{ method: 'DELETE', path: '/v1/snapshots/{name}/', carries: 'query' }],
    status: 200,
    input: z.object({ name: SnapshotName.describe('Snapshot'), ...projectScope }),
    output: z.object({ message: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: changesTool('delete_snapshot', ['name', 'project_id']),
  }),
};
