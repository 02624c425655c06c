/** One message. `at` is in Unix seconds; null where the file has no time. */
export type ConversationTurn = {
  role: 'user' | 'assistant';
  content: string;
  name?: string;
  at: number | null;
};

/** A conversation from any file format. `id` stays the same in later exports of it. */
export type ImportedConversation = {
  id: string;
  title: string | null;
  source: string;
  turns: ConversationTurn[];
};

/** Role names in the exports of several services. */
const roleByName: Readonly<Record<string, ConversationTurn['role']>> = {
  user: 'user',
  human: 'user',
  you: 'user',
  me: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  chatgpt: 'assistant',
  claude: 'assistant',
  gemini: 'assistant',
  copilot: 'assistant',
};

/** Null for roles that are not imported: system prompts, and the output of tools. */
export function parseRole(name: unknown): ConversationTurn['role'] | null {
  const word = typeof name === 'string' ? name.trim().toLowerCase() : '';
  return Object.hasOwn(roleByName, word) ? (roleByName[word] ?? null) : null;
}

/** A larger number is in milliseconds: as seconds it would be after the year 5138. */
const secondsMax = 1e11;

/** Converts a time as exports write it, in seconds, milliseconds or ISO 8601, to Unix seconds. */
export function toUnixSeconds(time: unknown): number | null {
  if (typeof time === 'number' && time > 0) {
    return Math.floor(time > secondsMax ? time / 1000 : time);
  }
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(parsed) || parsed <= 0 ? null : Math.floor(parsed / 1000);
}
