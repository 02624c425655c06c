import * as z from 'zod';
import { ServiceUrl } from './model-options.ts';
import { option } from './option.ts';

/** The language model that reads conversations, and what it may cost. */
export const llmOptions = {
  llm_url: option(ServiceUrl, {
    default: null,
    description: 'OpenAI-compatible service, up to /v1, whose language model extracts memories.',
    engine: true,
    fromProject: 'refused',
  }),
  llm_model: option(z.string().min(1).max(255), {
    default: null,
    description: 'Name of the language model at llm_url.',
    engine: true,
    fromProject: 'refused',
  }),
  llm_api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for llm_url.',
    secret: true,
    engine: true,
    fromProject: 'refused',
  }),
  llm_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 60_000,
    description:
      'Longest time for a request to the language model; one add may take three times as long.',
    engine: true,
    fromProject: 'refused',
  }),
  llm_input_tokens: option(z.int().min(1000).max(1_000_000), {
    default: 12_000,
    description:
      'Longest request to the language model, in tokens; longer conversations are split.',
    engine: true,
    fromProject: 'refused',
  }),
  llm_daily_tokens: option(z.int().min(0).max(1_000_000_000_000), {
    default: 0,
    description:
      'Tokens per day (UTC) of all processes on the store, before rules take over; 0 means ' +
      'no limit.',
    engine: true,
    fromProject: 'refused',
  }),
};
