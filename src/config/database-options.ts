import * as z from 'zod';
import { option } from './option.ts';

const PostgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/\S+$/, 'must be an address such as postgres://user@host/name');

/** A PostgreSQL database instead of a file. */
export const databaseOptions = {
  database_url: option(PostgresUrl, {
    default: null,
    description: 'PostgreSQL database that stores everything, instead of a file in data_dir.',
    secret: true,
    engine: true,
    fromProject: 'refused',
  }),
  database_pool_size: option(z.int().min(1).max(1000), {
    default: 10,
    description: 'Most connections to database_url per process, not counting one that listens.',
    engine: true,
    fromProject: 'refused',
  }),
  database_timeout_ms: option(z.int().min(100).max(3_600_000), {
    default: 30_000,
    description: 'Longest time for a statement on database_url.',
    engine: true,
    fromProject: 'refused',
  }),
};
