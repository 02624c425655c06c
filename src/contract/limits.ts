/** Every limit of the service, with its unit last. What is over a limit is a 400 that names it. */
export const limits = {
  batch_size_max: 1000,
  page_size_default: 100,
  page_size_max: 1000,
  events_page_size_default: 50,
  events_page_size_max: 100,
  top_k_default: 10,
  top_k_max: 1000,
  /** Share of a question's weight that a hit must carry; see `Score` in schemas/memory.ts. */
  threshold_default: 0.3,
  memory_text_max_chars: 32_000,
  messages_max: 1000,
  message_max_chars: 100_000,
  metadata_max_bytes: 16 * 1024,
  metadata_max_levels: 6,
  id_max_chars: 255,
  query_max_chars: 2000,
  filter_max_depth: 8,
  filter_max_clauses: 200,
  custom_categories_max: 100,
  category_max_chars: 100,
  feedback_reason_max_chars: 2000,
  instructions_max_chars: 10_000,
  /** Unix seconds of 9999-12-31T23:59:59Z: later years have more digits than ISO 8601 shows. */
  timestamp_max_seconds: 253_402_300_799,
} as const;
