/**
 * The engine's advice names operations, as tools are called. For a reader at a terminal, it names
 * the matching commands.
 */
export function withCommandNames(text: string): string {
  return text.replace(names, (name) => commands[name] ?? name);
}

const commands: Readonly<Record<string, string>> = {
  update_memory: 'mneme edit',
  get_memories: 'mneme list',
  delete_memory: 'mneme forget',
  search_memories: 'mneme search',
  list_organizations: 'mneme call list_organizations',
  'create_project with a name': 'mneme call create_project --name NAME',
};
const names = new RegExp(`\\b(?:${Object.keys(commands).join('|')})\\b`, 'g');
