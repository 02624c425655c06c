import type { Input, OperationName } from '../../contract.ts';

const memory_id = '01980b2e-5c1f-7d3a-9e4b-2f6a8c0d1e35';
const event_id = '01980b2e-5c20-7b11-8c9d-4a5b6c7d8e9f';
const webhook_id = '01980b2e-5c21-7e52-a1b2-c3d4e5f60718';
const delivery_id = '01980b2e-5c22-7f63-b2c3-d4e5f6071829';
const org_id = '01980b2e-5c23-7a74-83d4-e5f60718293a';
const project_id = '01980b2e-5c24-7b85-94e5-f60718293a4b';
const recall_id = '01980b2e-5c25-7c96-a5f6-0718293a4b5c';
const job_id = '01980b2e-5c26-7da7-b607-18293a4b5c6d';
const key_id = '01980b2e-5c27-7eb8-8718-293a4b5c6d7e';
const memory_export_id = '01980b2e-5c28-7fc9-9829-3a4b5c6d7e8f';

const user_id = 'ada';
const entity = { entity_type: 'user', entity_id: user_id } as const;
const project = { org_id, project_id };
const email = 'grace@example.com';

/** A typical input of each operation: what the reference at /docs shows and can send. */
export const inputExamples: { [N in OperationName]: Input<N> } = {
  add_memory: {
    messages: [
      { role: 'user', content: 'I moved to Porto, and I am allergic to hazelnuts.' },
      { role: 'assistant', content: 'Noted!' },
    ],
    user_id,
  },
  search_memories: { query: 'Where does Ada live?', filters: { user_id }, top_k: 5 },
  get_memories: { filters: { user_id }, page: 1, page_size: 20 },
  get_memory: { memory_id },
  update_memory: { memory_id, text: 'Lives in Coimbra.' },
  delete_memory: { memory_id },
  delete_all_memories: { user_id },
  batch_update_memories: { memories: [{ memory_id, text: 'Lives in Coimbra.' }] },
  batch_delete_memories: { memory_ids: [memory_id] },
  erase_memories: { user_id },
  add_feedback: { memory_id, feedback: 'POSITIVE' },
  get_context: { query: 'What should I cook for Ada?', user_id, max_tokens: 500 },
  get_history: { memory_id },
  get_versions: { memory_id },
  list_history: { user_id, page_size: 20 },
  list_relations: { entity: 'Ada' },
  undo_changes: { memory_id, dry_run: true },
  list_changes: { limit: 50 },
  diff_changes: { from: '2026-01-01T00:00:00Z', user_id },
  create_snapshot: { name: 'before-import' },
  list_snapshots: {},
  delete_snapshot: { name: 'before-import' },
  list_recalls: { user_id, page_size: 20 },
  replay_recall: { recall_id },
  create_export: {
    schema: { type: 'object', properties: { city: { type: 'string' } } },
    filters: { user_id },
  },
  get_export: { memory_export_id },
  create_user: { user_id },
  create_agent: { agent_id: 'planner', name: 'Planner' },
  create_app: { app_id: 'web', name: 'Web' },
  create_run: { run_id: 'chat-7', name: 'Chat 7' },
  list_entities: { page_size: 20 },
  get_filter_values: {},
  delete_entity: entity,
  list_events: { status: 'FAILED', page_size: 20 },
  get_event: { event_id },
  create_webhook: {
    project_id,
    url: 'https://example.com/hooks/memories',
    name: 'Sync',
    event_types: ['memory_add'],
  },
  list_webhooks: { project_id },
  get_webhook: { webhook_id },
  update_webhook: { webhook_id, is_active: false },
  delete_webhook: { webhook_id },
  rotate_webhook_secret: { webhook_id },
  test_webhook: { webhook_id },
  list_webhook_deliveries: { webhook_id, page_size: 20 },
  resend_webhook_delivery: { webhook_id, delivery_id },
  create_organization: { name: 'Acme' },
  list_organizations: {},
  get_organization: { org_id },
  delete_organization: { org_id },
  list_organization_members: { org_id },
  add_organization_member: { org_id, email, role: 'READER' },
  update_organization_member: { org_id, email, role: 'OWNER' },
  remove_organization_member: { org_id, email },
  list_invitations: {},
  accept_invitation: { org_id },
  decline_invitation: { org_id },
  create_project: { org_id, name: 'Household' },
  list_projects: { org_id },
  get_project: project,
  update_project: { ...project, review: 'unsure', keep_recalls: 'text' },
  delete_project: project,
  list_project_members: project,
  add_project_member: { ...project, email, role: 'READER' },
  update_project_member: { ...project, email, role: 'OWNER' },
  remove_project_member: { ...project, email },
  list_reviews: { page_size: 20 },
  review_memory: { memory_id, decision: 'accept' },
  ping: {},
  get_stats: {},
  get_growth: { days: 30 },
  get_summary: { user_id },
  get_profile: entity,
  get_profile_settings: {},
  update_profile_settings: { enabled: true },
  create_profile_job: { entity_type: 'user', entity_id: user_id },
  get_profile_job: { job_id },
  create_key: { name: 'laptop', read_only: true, expires_in_days: 90 },
  list_keys: {},
  revoke_key: { key_id },
  resolve_ids: { short_ids: ['0d1e3542'] },
  list_audit: { page_size: 20 },
  list_models: {},
  get_configuration: {},
  create_backup: {},
  import_memories: {
    lines: [
      { type: 'entity', name: 'Otis', entityType: 'dog', observations: ['likes long walks'] },
    ],
    format: 'server-memory',
    user_id,
  },
};
