import type { OptionName } from './options.ts';

/**
 * The sections in which documents list the options, in their order. They are kept apart from the
 * options, because every start reads those.
 */
export const optionSections: readonly { title: string; names: readonly OptionName[] }[] = [
  {
    title: 'Where the memories are',
    names: ['data_dir', 'base_url', 'api_key', 'api_key_command', 'remote_timeout_ms'],
  },
  {
    title: 'Owner and project',
    names: ['org_id', 'project_id', 'user_id', 'agent_id', 'app_id', 'run_id', 'lock_scope'],
  },
  {
    title: 'Tools and hooks',
    names: [
      'toolsets',
      'tools',
      'exclude_tools',
      'read_only',
      'strict_schemas',
      'confirm_destructive',
      'admin_approval',
      'add_wait_ms',
      'result_max_tokens',
      'capture',
    ],
  },
  {
    title: 'PostgreSQL',
    names: ['database_url', 'database_pool_size', 'database_timeout_ms'],
  },
  {
    title: 'Search by meaning',
    names: [
      'static_embedder',
      'embedder_url',
      'embedder_model',
      'embedder_api_key',
      'embedder_dimensions',
      'embedder_query_prefix',
      'embedder_memory_prefix',
      'embedder_timeout_ms',
      'reranker_url',
      'reranker_model',
      'reranker_api_key',
      'reranker_timeout_ms',
      'search_timeout_ms',
      'local_embedder',
      'local_reranker',
      'local_pooling',
      'local_dtype',
      'local_threads',
      'local_models_dir',
      'local_hub_url',
    ],
  },
  {
    title: 'Language model',
    names: [
      'llm_url',
      'llm_model',
      'llm_api_key',
      'llm_timeout_ms',
      'llm_budget_ms',
      'llm_input_tokens',
      'llm_output_tokens',
      'llm_add_tokens',
      'llm_daily_tokens',
    ],
  },
  {
    title: 'What is stored, and for how long',
    names: [
      'secrets',
      'timezone',
      'keep_source',
      'synchronous',
      'busy_timeout_ms',
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
    title: 'Webhooks and log',
    names: ['webhook_timeout_ms', 'webhook_allow_http', 'webhook_allow_private', 'log_level'],
  },
  {
    title: 'The server',
    names: ['host', 'port', 'shutdown_delay_ms', 'mcp', 'allowed_hosts', 'tool_timeout_ms'],
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
      'bootstrap_key',
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
