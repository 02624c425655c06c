import * as z from 'zod';
import { option } from './option.ts';

/** Where a service is: what is asked for is added to it. */
export const Endpoint = z
  .string()
  .regex(
    /^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/,
    'must be an http or https address without user, query or fragment',
  );

/** Models that the engine asks. */
export const modelOptions = {
  embedder_url: option(Endpoint, {
    default: null,
    about: 'Address of an OpenAI-compatible service, up to /v1, to find memories by meaning too.',
    engine: true,
  }),
  embedder_model: option(z.string().min(1).max(255), {
    default: null,
    about: 'Embedding model, as the service of embedder_url calls it.',
    engine: true,
  }),
  embedder_api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    about: 'API key for embedder_url.',
    secret: true,
    engine: true,
  }),
  embedder_dimensions: option(z.int().min(1).max(16_384), {
    default: null,
    about: 'Length of the vectors to ask for, where the model can shorten them.',
    engine: true,
  }),
  embedder_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    about: 'How long the embedding model may take for some memories, in the background.',
    engine: true,
  }),
  search_timeout_ms: option(z.int().min(10).max(60_000), {
    default: 1000,
    about: 'How long a search waits for the embedding model; then it goes by words.',
    engine: true,
  }),
};
