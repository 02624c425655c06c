// Generated from the options by `npm run generate`.

/** Options of the engine, as in the configuration. */
export interface EngineOptions {
  /**
   * Folder of the memory file; created if missing. Default: ~/.local/share/mneme (Linux),
   * ~/Library/Application Support/mneme (macOS), %LOCALAPPDATA%\mneme\Data (Windows).
   */
  data_dir?: string | undefined;
  /** Project of all requests; a local store creates it if missing. */
  project_id?: string | undefined;
  /** User that memories belong to when a call names none. */
  user_id?: string | undefined;
  /** Time zone in which days of texts and questions are counted. Default: the machine's. */
  timezone?: string | undefined;
  /**
   * Embedding model to run on this machine: a name on the hub, NAME@REVISION, or a folder.
   * Default: unset.
   */
  local_embedder?: string | undefined;
  /**
   * OpenAI-compatible service, up to /v1, whose embeddings find memories by meaning. Default:
   * unset.
   */
  embedder_url?: string | undefined;
  /** Name of the embedding model at embedder_url. Default: unset. */
  embedder_model?: string | undefined;
  /** API key for embedder_url. Default: unset. */
  embedder_api_key?: string | undefined;
  /**
   * OpenAI-compatible service, up to /v1, whose language model extracts memories. Default:
   * unset.
   */
  llm_url?: string | undefined;
  /** Name of the language model at llm_url. Default: unset. */
  llm_model?: string | undefined;
  /** API key for llm_url. Default: unset. */
  llm_api_key?: string | undefined;
  /** PostgreSQL database that stores everything, instead of a file in data_dir. Default: unset. */
  database_url?: string | undefined;
  /** Organization of all requests; a local store creates it if missing. */
  org_id?: string | undefined;
  /** Agent that memories belong to when a call names none. */
  agent_id?: string | undefined;
  /** App that memories belong to when a call names none. */
  app_id?: string | undefined;
  /** Session that memories belong to when a call names none. */
  run_id?: string | undefined;
  /**
   * Treatment of keys, passwords and card numbers in texts to store: redact, refuse or keep.
   * Default: redact.
   */
  secrets?: 'redact' | 'refuse' | 'keep' | undefined;
  /** Keep the message that a memory came from, not only the memory. Default: true. */
  keep_source?: boolean | undefined;
  /**
   * Durability of SQLite writes: full also survives power loss, at a tenth of the speed.
   * Default: normal.
   */
  synchronous?: 'normal' | 'full' | undefined;
  /**
   * Time for which a process holds a queued job before another process may take it over.
   * Default: 30000.
   */
  lease_ms?: number | undefined;
  /** Number of queued adds, and of webhook deliveries, that run at once. Default: 4. */
  worker_concurrency?: number | undefined;
  /** Days for which events, recalls and settled webhook deliveries are kept. Default: 30. */
  retention_days?: number | undefined;
  /** Days for which deleted memories can be brought back. Default: 30. */
  undo_days?: number | undefined;
  /**
   * Days for which earlier versions of memories are kept: 0 (forever), or at least undo_days.
   * Default: 0.
   */
  history_days?: number | undefined;
  /**
   * Also search by meaning, using the word vectors shipped with mneme, unless another embedder
   * is set. Default: true.
   */
  static_embedder?: boolean | undefined;
  /**
   * Longest wait of a search for the embedding model before it matches words only. Default:
   * 1000.
   */
  search_timeout_ms?: number | undefined;
  /** Length of the vectors to request, for models that can shorten them. Default: unset. */
  embedder_dimensions?: number | undefined;
  /** Text that the embedding model expects before a query. Default: unset. */
  embedder_query_prefix?: string | undefined;
  /** Text that the embedding model expects before a memory. Default: unset. */
  embedder_memory_prefix?: string | undefined;
  /**
   * Longest time for the embedding model to read a batch of memories, in the background.
   * Default: 30000.
   */
  embedder_timeout_ms?: number | undefined;
  /** Service whose /rerank scores the results of a search with rerank. Default: unset. */
  reranker_url?: string | undefined;
  /** Name of the reranking model at reranker_url. Default: unset. */
  reranker_model?: string | undefined;
  /** API key for reranker_url. Default: unset. */
  reranker_api_key?: string | undefined;
  /**
   * Longest wait of a search with rerank for the reranker before it goes on without it. Default:
   * 3000.
   */
  reranker_timeout_ms?: number | undefined;
  /** Reranking model to run on this machine, named as in local_embedder. Default: unset. */
  local_reranker?: string | undefined;
  /**
   * Way local_embedder pools token vectors, if neither its files nor its name say so. Default:
   * unset.
   */
  local_pooling?: 'mean' | 'cls' | 'last' | undefined;
  /** Number type of local models; it selects which of their files is loaded. Default: fp32. */
  local_dtype?: 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4' | undefined;
  /**
   * Folder of downloaded models and of the package that runs them. Default:
   * ~/.cache/mneme/models (Linux), ~/Library/Caches/mneme/models (macOS),
   * %LOCALAPPDATA%\mneme\Cache\models (Windows).
   */
  local_models_dir?: string | undefined;
  /** Hub to download local models from, or a mirror of it. Default: https://huggingface.co. */
  local_hub_url?: string | undefined;
  /**
   * Longest time for a request to the language model; one add may take three times as long.
   * Default: 60000.
   */
  llm_timeout_ms?: number | undefined;
  /**
   * Longest request to the language model, in tokens; longer conversations are split. Default:
   * 12000.
   */
  llm_input_tokens?: number | undefined;
  /**
   * Tokens per day (UTC) of all processes on the store, before rules take over; 0 means no
   * limit. Default: 0.
   */
  llm_daily_tokens?: number | undefined;
  /** Most connections to database_url per process, not counting one that listens. Default: 10. */
  database_pool_size?: number | undefined;
  /** Longest time for a statement on database_url. Default: 30000. */
  database_timeout_ms?: number | undefined;
  /** Longest time for a webhook to respond. Default: 10000. */
  webhook_timeout_ms?: number | undefined;
  /** Allow webhooks to http addresses, not only https. Default: false. */
  webhook_allow_http?: boolean | undefined;
  /** Allow webhooks to private, loopback and link-local addresses. Default: false. */
  webhook_allow_private?: boolean | undefined;
}
