import * as z from 'zod';
import { operation } from '../operation.ts';

const SearchQuality = z.object({
  /** Percent of English questions in other words whose answer is among the first 5. */
  english: z.number(),
  other_languages: z.number(),
  /** Percent of the evidence of LoCoMo among the first 10. */
  locomo: z.number().nullable(),
});

/** Operations on the whole store and its machine, for its owner only. */
export const storeOperations = {
  list_models: operation({
    summary: 'List models',
    description:
      'Lists the models available for search by meaning with their size and quality, the one in ' +
      'use, and the tokens that a language model has used today.',
    scope: 'store:read',
    subject: 'store',
    routes: [{ method: 'GET', path: '/v1/models/', carries: 'query' }],
    status: 200,
    input: z.object({}),
    output: z.object({
      in_use: z.string(),
      runtime: z.object({ installed: z.boolean(), folder: z.string() }),
      models: z.array(
        z.object({
          name: z.string(),
          in_use: z.boolean(),
          installed: z.boolean(),
          download_bytes: z.number(),
          dimensions: z.int(),
          languages: z.string(),
          measured: SearchQuality.nullable(),
          local_embedder: z.string().nullable(),
        }),
      ),
      /** Search by words alone, to compare with. */
      words: SearchQuality,
      /** How many memories still wait for their vector, of how many; null without such a model. */
      embedding: z.object({ pending: z.int(), total: z.int() }).nullable(),
      language_model: z.string().nullable(),
      tokens_today: z.int(),
    }),
    errors: ['invalid', 'forbidden'],
    tool: null,
  }),

  get_configuration: operation({
    summary: 'Get the configuration',
    description: 'Returns the options of this server and where each is set. Secrets are masked.',
    scope: 'store:read',
    subject: 'store',
    routes: [{ method: 'GET', path: '/v1/configuration/', carries: 'query' }],
    status: 200,
    input: z.object({}),
    output: z.object({
      version: z.string(),
      values: z.record(z.string(), z.unknown()),
      sources: z.record(z.string(), z.string()),
    }),
    errors: ['invalid', 'forbidden'],
    tool: null,
  }),

  create_backup: operation({
    summary: 'Back up the store',
    description:
      'Copies the store to a new file in the subfolder `backups` of the data folder, even while ' +
      'it is in use.',
    scope: 'store:write',
    subject: 'store',
    routes: [{ method: 'POST', path: '/v1/backups/', carries: 'body' }],
    status: 201,
    input: z.object({}),
    output: z.object({ file: z.string(), bytes: z.int(), created_at: z.string() }),
    errors: ['invalid', 'forbidden', 'conflict'],
    tool: null,
  }),
};
