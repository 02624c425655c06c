import {
  type ConversationTurn,
  type ImportedConversation,
  parseRole,
  toUnixSeconds,
} from './conversation.ts';
import { conversationHash } from './messages-json.ts';

/**
 * Parses conversations in Markdown or plain text. A turn begins with a line that names its
 * speaker: a heading (`## User`), a name in bold (`**Assistant:** ...`) or before a colon (`Ann:
 * ...`), optionally followed by a time; "You said:" and "ChatGPT said:" are such lines too. If no
 * speaker has a known role, all speakers are people. Any other heading of the first level begins
 * the next conversation.
 */
export function parseMarkdownConversations(text: string): ImportedConversation[] {
  const lines = text.split(/\r\n|\r|\n/);
  const names = findSpeakers(lines);
  const drafts: ConversationDraft[] = [{ title: null, turns: [] }];
  let isCode = false;
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const draft = drafts.at(-1);
    const speaker = isCode ? null : readSpeaker(line, names);
    const title = isCode || speaker !== null ? undefined : /^#\s+(.+)$/.exec(line)?.[1];
    if (title !== undefined) drafts.push({ title: title.trim(), turns: [] });
    else if (speaker !== null) draft?.turns.push(speaker);
    else draft?.turns.at(-1)?.lines.push(line);
  }
  return drafts.filter(({ turns }) => turns.length > 0).map(toConversation);
}

type SpeakerTurn = {
  name: string;
  role: ConversationTurn['role'] | null;
  at: number | null;
  lines: string[];
};
type ConversationDraft = { title: string | null; turns: SpeakerTurn[] };

const nameMaxChars = 40;
const word = "[\\p{L}\\p{M}\\p{N}][\\p{L}\\p{M}\\p{N}._'’-]*";
const name = `(?<name>${word}(?: ${word}){0,3}?)`;
const date = '\\d{4}-\\d\\d-\\d\\d';
const clock = '(?:[T ]\\d\\d:\\d\\d(?::\\d\\d)?)?\\S*?';
const time = `(?:\\s*[([,–—-]*\\s*(?<time>${date}${clock})[)\\]]?)?`;
const laterTime = time.replace('<time>', '<later>');
const speaker = `${name}(?:\\s+said)?${time}`;

/** `## User`, `### Assistant (2024-05-01 10:00):` */
const heading = new RegExp(`^#{1,6}\\s+(?:\\*\\*|__)?${speaker}\\s*:?(?:\\*\\*|__)?\\s*$`, 'u');
/** `**User:** text`, `**User**: text`, `**User** (2024-05-01)` */
const bold = new RegExp(
  `^(?:\\*\\*|__)${speaker}\\s*:?(?:\\*\\*|__)${laterTime}\\s*:?\\s*(?<rest>.*)$`,
  'u',
);
/** `User: text` */
const plain = new RegExp(`^${speaker}\\s*:(?!//)(?:\\s+(?<rest>.*))?$`, 'u');

function parseSpeakerLine(line: string): Record<string, string | undefined> | null {
  for (const pattern of [heading, bold, plain]) {
    const groups = pattern.exec(line.slice(0, lineMaxChars))?.groups;
    if (groups?.name !== undefined && groups.name.length <= nameMaxChars) {
      const rest = groups.rest === undefined ? '' : line.slice(line.indexOf(groups.rest));
      return { ...groups, rest: groups.rest ? rest : '' };
    }
  }
  return null;
}

/** A speaker line names its speaker within this length. */
const lineMaxChars = 500;

/**
 * Names of speakers: the known roles, else all names, if the text begins with one and repeats one.
 */
function findSpeakers(lines: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const key = parseSpeakerLine(line)?.name?.toLowerCase();
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const names = [...counts.keys()];
  const speakers = names.filter((key) => parseRole(key) !== null);
  if (speakers.length > 0) return new Set(speakers);
  const first = lines.find((line) => line.trim() !== '' && !line.startsWith('# ')) ?? '';
  const isTalk =
    parseSpeakerLine(first) !== null && [...counts.values()].some((count) => count > 1);
  return new Set(isTalk ? names : []);
}

function readSpeaker(line: string, names: ReadonlySet<string>): SpeakerTurn | null {
  const parts = parseSpeakerLine(line);
  if (parts?.name === undefined || !names.has(parts.name.toLowerCase())) return null;
  const at = toUnixSeconds(asUtc(parts.time ?? parts.later));
  return {
    name: parts.name,
    role: parseRole(parts.name),
    at,
    lines: parts.rest ? [parts.rest] : [],
  };
}

/** Without a time zone a time is read as UTC, so that every machine reads it the same. */
function asUtc(written: string | undefined): string | undefined {
  const [, date, clock] = /^(\S{10})[T ](\d\d:\d\d(?::\d\d)?)$/.exec(written ?? '') ?? [];
  return clock === undefined ? written : `${date}T${clock}Z`;
}

function toConversation({ title, turns: speakers }: ConversationDraft): ImportedConversation {
  const turns: ConversationTurn[] = [];
  let last: number | null = null;
  for (const { name: speaker, role, at, lines } of speakers) {
    last = at ?? last;
    const content = lines.join('\n').trim();
    if (content === '') continue;
    const turn = { role: role ?? 'user', content, at: last } as const;
    turns.push({ ...turn, ...(role === null && { name: speaker }) });
  }
  return { id: conversationHash(title, turns), title, source: 'markdown', turns };
}
