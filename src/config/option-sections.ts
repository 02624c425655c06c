import type { OptionName } from './options.ts';

/**
 * The options that people set, in the order in which help and documents show them, each with a
 * value as it is typed. All others stand in the sections of the advanced ones. This is kept apart
 * from the options, because every start reads those.
 */
export const commonOptions = {
  data_dir: '~/memory',
  base_url: 'https://mneme.example.com',
  api_key: 'mk_...',
  project_id: 'garden',
  user_id: 'ada',
  lock_scope: 'true',
  toolsets: 'core,entities',
  read_only: 'true',
  capture: 'all',
  timezone: 'Europe/Lisbon',
  local_embedder: 'Xenova/multilingual-e5-small',
  embedder_url: 'http://localhost:11434/v1',
  embedder_model: 'nomic-embed-text',
  embedder_api_key: 'sk-...',
  llm_url: 'http://localhost:11434/v1',
  llm_model: 'qwen3:8b',
  llm_api_key: 'sk-...',
  database_url: 'postgres://mneme@localhost/mneme',
  host: '0.0.0.0',
  port: '8080',
  allowed_hosts: 'mneme.example.com',
} as const satisfies Partial<Record<OptionName, string>>;

type CommonOptionName = keyof typeof commonOptions;
type AdvancedOptionName = Exclude<OptionName, CommonOptionName>;

export function isCommonOption(name: OptionName): name is CommonOptionName {
  return Object.hasOwn(commonOptions, name);
}

/** The other options by what they are about. */
export const advancedSections: readonly {
  title: string;
  names: readonly AdvancedOptionName[];
}[] = [
  {
    title: 'Owner and project',
    names: ['org_id', 'agent_id', 'app_id', 'run_id'],
  },
  {
    title: 'Tools and hooks',
    names: [
      'tools',
      'exclude_tools',
      'strict_schemas',
      'confirm_destructive',
      'admin_approval',
      'add_wait_ms',
      'result_max_tokens',
    ],
  },
  {
    title: 'What is stored, and for how long',
    names: [
      'secrets',
      'keep_source',
      'synchronous',
      'lease_ms',
      'worker_concurrency',
      'retention_days',
      'export_retention_days',
      'expired_retention_days',
      'undo_days',
      'history_days',
      'audit',
      'audit_key',
      'audit_retention_days',
    ],
  },
  {
    title: 'Search by meaning',
    names: [
      'static_embedder',
      'search_timeout_ms',
      'embedder_dimensions',
      'embedder_query_prefix',
      'embedder_memory_prefix',
      'embedder_timeout_ms',
      'reranker_url',
      'reranker_model',
      'reranker_api_key',
      'reranker_timeout_ms',
      'local_reranker',
      'local_pooling',
      'local_dtype',
      'local_models_dir',
      'local_hub_url',
    ],
  },
  {
    title: 'Language model',
    names: ['llm_timeout_ms', 'llm_input_tokens', 'llm_daily_tokens'],
  },
  {
    title: 'PostgreSQL',
    names: ['database_pool_size', 'database_timeout_ms'],
  },
  {
    title: 'Remote instance',
    names: ['api_key_command', 'remote_timeout_ms'],
  },
  {
    title: 'Webhooks and log',
    names: ['webhook_timeout_ms', 'webhook_allow_http', 'webhook_allow_private', 'log_level'],
  },
  {
    title: 'The server',
    names: ['bootstrap_key', 'shutdown_delay_ms', 'mcp', 'tool_timeout_ms'],
  },
  {
    title: 'OAuth',
    names: [
      'oauth_issuer',
      'oauth_audience',
      'oauth_read_scope',
      'oauth_write_scope',
      'oauth_account_claim',
      'oauth_org_claim',
      'oauth_project_claim',
      'oauth_role_claim',
      'oauth_user_claim',
    ],
  },
  {
    title: 'REST',
    names: [
      'dialect',
      'rate_limit',
      'body_max_bytes',
      'cors_origins',
      'trust_proxy',
      'metrics_public',
      'request_log',
    ],
  },
];

/** All options as people read them: the common ones, then the advanced by section. */
export const orderedOptions: readonly OptionName[] = [
  ...(Object.keys(commonOptions) as CommonOptionName[]),
  ...advancedSections.flatMap(({ names }) => names),
];
