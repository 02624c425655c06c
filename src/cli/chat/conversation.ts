/** One thing that somebody said. `at` is in Unix seconds; null where the file does not tell. */
export type ConversationTurn = {
  role: 'user' | 'assistant';
  content: string;
  name?: string;
  at: number | null;
};

/** A conversation, however it was written down. `id` stays the same in later exports of it. */
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

/** Null for what nobody says: system prompts, and what tools answer. */
export function parseRole(name: unknown): ConversationTurn['role'] | null {
  const word = typeof name === 'string' ? name.trim().toLowerCase() : '';
  return Object.hasOwn(roleByName, word) ? (roleByName[word] ?? null) : null;
}

/** Beyond this a number of seconds is one of milliseconds: the year 5138. */
const secondsMax = 1e11;

/** Unix seconds of a time as exports write it: seconds, milliseconds, or ISO 8601. */
export function toUnixSeconds(time: unknown): number | null {
  if (typeof time === 'number' && time > 0) {
    return Math.floor(time > secondsMax ? time / 1000 : time);
  }
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(parsed) || parsed <= 0 ? null : Math.floor(parsed / 1000);
}
