// Generated from the options by `npm run generate`.

/** Options of the engine, as in the configuration. */
export interface EngineOptions {
  /**
   * Folder of the memory file; made when it is missing. Default: ~/.local/share/mneme (Linux),
   * ~/Library/Application Support/mneme (macOS), %LOCALAPPDATA%\mneme\Data (Windows).
   */
  data_dir?: string | undefined;
  /** Organization of all requests; a local store makes it when it is missing. */
  org_id?: string | undefined;
  /** Project of all requests; a local store makes it when it is missing. */
  project_id?: string | undefined;
  /** User that memories belong to when a call names none. */
  user_id?: string | undefined;
  /** Agent that memories belong to when a call names none. */
  agent_id?: string | undefined;
  /** App that memories belong to when a call names none. */
  app_id?: string | undefined;
  /** Session that memories belong to when a call names none. */
  run_id?: string | undefined;
  /** PostgreSQL database that holds everything, in place of a file in data_dir. Default: unset. */
  database_url?: string | undefined;
  /**
   * How many connections to database_url a process opens at most, besides one to listen.
   * Default: 10.
   */
  database_pool_size?: number | undefined;
  /** How long a statement of database_url may take. Default: 30000. */
  database_timeout_ms?: number | undefined;
  /**
   * Address of an OpenAI-compatible service, up to /v1, to find memories by meaning too.
   * Default: unset.
   */
  embedder_url?: string | undefined;
  /** Embedding model, as the service of embedder_url calls it. Default: unset. */
  embedder_model?: string | undefined;
  /** API key for embedder_url. Default: unset. */
  embedder_api_key?: string | undefined;
  /** Length of the vectors to ask for, where the model can shorten them. Default: unset. */
  embedder_dimensions?: number | undefined;
  /** Text that the embedding model wants before a question. Default: unset. */
  embedder_query_prefix?: string | undefined;
  /** Text that the embedding model wants before a memory. Default: unset. */
  embedder_memory_prefix?: string | undefined;
  /** How long the embedding model may take for some memories, in the background. Default: 30000. */
  embedder_timeout_ms?: number | undefined;
  /**
   * Address of a service whose /rerank judges what a search with rerank has found. Default:
   * unset.
   */
  reranker_url?: string | undefined;
  /** Reranking model, as the service of reranker_url calls it. Default: unset. */
  reranker_model?: string | undefined;
  /** API key for reranker_url. Default: unset. */
  reranker_api_key?: string | undefined;
  /** How long a search with rerank waits for the reranker; then it goes without. Default: 3000. */
  reranker_timeout_ms?: number | undefined;
  /** How long a search waits for the embedding model; then it goes by words. Default: 1000. */
  search_timeout_ms?: number | undefined;
  /**
   * Embedding model to run on this machine: a name on the hub, NAME@REVISION, or a folder.
   * Default: unset.
   */
  local_embedder?: string | undefined;
  /**
   * Model to run here that judges what a search with rerank has found: as local_embedder.
   * Default: unset.
   */
  local_reranker?: string | undefined;
  /**
   * How local_embedder makes one vector of many, where neither it nor its name tells. Default:
   * unset.
   */
  local_pooling?: 'mean' | 'cls' | 'last' | undefined;
  /** Kind of numbers of the local models: which of their files is loaded. Default: fp32. */
  local_dtype?: 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4' | undefined;
  /**
   * Threads that each local model computes on. Default: one less than there are cores, at most
   * 8.
   */
  local_threads?: number | undefined;
  /**
   * Folder of downloaded models, and of the package that runs them. Default:
   * ~/.cache/mneme/models (Linux), ~/Library/Caches/mneme/models (macOS),
   * %LOCALAPPDATA%\mneme\Cache\models (Windows).
   */
  local_models_dir?: string | undefined;
  /**
   * Address of the hub that local models come from, or of a mirror. Default:
   * https://huggingface.co.
   */
  local_hub_url?: string | undefined;
  /**
   * Address of an OpenAI-compatible service, up to /v1, whose model reads conversations.
   * Default: unset.
   */
  llm_url?: string | undefined;
  /** Language model, as the service of llm_url calls it. Default: unset. */
  llm_model?: string | undefined;
  /** API key for llm_url. Default: unset. */
  llm_api_key?: string | undefined;
  /** How long the language model may take for one answer. Default: 60000. */
  llm_timeout_ms?: number | undefined;
  /**
   * How long it may take for one add, repeated tries included; then rules read the rest.
   * Default: 180000.
   */
  llm_budget_ms?: number | undefined;
  /** Longest request to it, in tokens; longer conversations are read in parts. Default: 12000. */
  llm_input_tokens?: number | undefined;
  /** Longest answer to ask it for, in tokens. Default: 4000. */
  llm_output_tokens?: number | undefined;
  /** Tokens, in and out, that one add may cost; then rules read the rest. Default: 200000. */
  llm_add_tokens?: number | undefined;
  /**
   * Tokens that all processes on the store may spend in a day (UTC); then rules do it. 0 is no
   * limit. Default: 0.
   */
  llm_daily_tokens?: number | undefined;
  /**
   * Keys, passwords and card numbers in what is to be stored: taken out, refused, or kept.
   * Default: redact.
   */
  secrets?: 'redact' | 'refuse' | 'keep' | undefined;
  /** Keep the message that a memory came from; else nothing of it but the memory. Default: true. */
  keep_source?: boolean | undefined;
  /** full survives a power cut too, at a tenth of the writing speed. Default: normal. */
  synchronous?: 'normal' | 'full' | undefined;
  /** How long a write waits for another process that writes. Default: 10000. */
  busy_timeout_ms?: number | undefined;
  /** How long queued work belongs to a process before another may take it over. Default: 30000. */
  lease_ms?: number | undefined;
  /** How many queued adds, and how many webhook deliveries, are worked on at once. Default: 4. */
  worker_concurrency?: number | undefined;
  /** How long events and settled webhook deliveries are kept. Default: 30. */
  retention_days?: number | undefined;
  /** How long a webhook may take to answer. Default: 10000. */
  webhook_timeout_ms?: number | undefined;
  /** Let webhooks go to http addresses, not only https. Default: false. */
  webhook_allow_http?: boolean | undefined;
  /** Let webhooks go to private, loopback and link-local addresses. Default: false. */
  webhook_allow_private?: boolean | undefined;
}
