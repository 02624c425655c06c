import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { ownerScope, projectScope } from '../schemas/entity.ts';

/** Counts of the lines of one kind. */
const ImportTally = z.object({ added: z.int(), updated: z.int(), unchanged: z.int() });

export const imports = {
  import_memories: operation({
    summary: 'Import memories',
    description:
      'Stores lines of a file written by `mneme export` or server-memory, up to 500 memories, ' +
      'all or none. Memories that are already stored are left unchanged, so a request can be ' +
      'repeated. All memories count as imported, whatever the lines say of their source. Each ' +
      'line of an export names its owner; lines of server-memory belong to the user, agent, app ' +
      'or session of the request.',
    scope: 'memories:write',
    routes: [{ method: 'POST', path: '/v1/imports/', carries: 'body' }],
    status: 200,
    input: z.object({
      lines: z
        .array(z.unknown())
        .min(1)
        .max(limits.import_lines_max)
        .describe('Objects, one per line of the file; send a long file in several requests'),
      format: z
        .enum(['mneme', 'server-memory'])
        .default('mneme')
        .describe('Program that wrote the file'),
      dry_run: z.boolean().default(false).describe('Check every line and store nothing'),
      skip_invalid: z
        .boolean()
        .default(false)
        .describe('Skip invalid lines instead of storing nothing'),
      // The owners of memories from server-memory; each line of an export names its own.
      ...ownerScope,
      ...projectScope,
    }),
    output: z.object({
      entities: ImportTally,
      memories: ImportTally,
      versions: ImportTally,
      history: ImportTally,
      feedback: ImportTally,
      /** Lines that were left out. */
      refused: z.int(),
      /** Why, of the first of them: `line 3: ...` is the third of `lines`. */
      problems: z.array(z.string()).max(limits.import_problems_max),
      /** Lines of which secrets were taken out. */
      redacted: z.int(),
      /** Lines with dates ahead of the clock, which were not believed. */
      ahead: z.int(),
      /** Memories that the lines say are trusted more than an import. */
      not_trusted: z.int(),
    }),
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    tool: null,
  }),
};
