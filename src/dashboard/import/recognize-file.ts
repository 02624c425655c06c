import { checkArchiveHeader } from '../../contract/archive/archive-line.ts';
import { graphLinesIn } from '../../contract/archive/other-file.ts';
import { isGraphLine } from '../../contract/archive/server-memory-line.ts';
import { isObject } from '../../contract/is-object.ts';
import { tryParseJson } from '../../contract/schemas/json.ts';
import type { SourceText } from '../../conversations/contained-files.ts';
import { type ParsedChats, parseConversations } from '../../conversations/parse-conversations.ts';
import { readDropped } from './read-dropped.ts';

/** An object of a file, and the number of its line there. */
export type FileLine = { number: number; value: unknown; chars: number };

export type LinesFile = {
  format: 'mneme' | 'server-memory';
  lines: FileLine[];
  /** Lines that hold nothing to store, with the reason. */
  problems: string[];
};

export type ConversationsFile = { format: 'conversations' } & ParsedChats;

export type RecognizedFile = LinesFile | ConversationsFile;

/** Recognizes a dropped file. Throws `invalid` if its format is not known, and `too_large`. */
export async function recognizeDropped(file: File): Promise<RecognizedFile> {
  const sources = await readDropped(file);
  const [source] = sources.texts;
  const lines = sources.isContainer || source === undefined ? null : linesFileIn(source);
  if (lines !== null) return lines;
  const next = 'An export of mneme begins with the line {"mneme": "export", "version": 1}.';
  return { format: 'conversations', ...parseConversations(sources, next) };
}

/** Reads a file as a list of lines; null if it is not one. */
function linesFileIn({ text }: SourceText): LinesFile | null {
  const first = tryParseJson(/^\s*(.*)/.exec(text)?.[1] ?? '');
  if (isObject(first) && 'mneme' in first) {
    checkArchiveHeader(first);
    const { lines, ...file } = readFileLines(text);
    return { format: 'mneme', ...file, lines: lines.slice(1) };
  }
  if (isGraphLine(first)) return { format: 'server-memory', ...readFileLines(text) };
  const isGraph = /"(?:entityType|relationType)"/.test(text.slice(0, graphHeadChars));
  const graph = isGraph ? graphLinesIn(tryParseJson(text)) : [];
  return graph.length === 0 ? null : { format: 'server-memory', ...fileLinesOf(graph) };
}

/** A graph in one JSON value can be recognized by its first characters, this many. */
const graphHeadChars = 10_000;

function readFileLines(text: string): Pick<LinesFile, 'lines' | 'problems'> {
  const lines: FileLine[] = [];
  const problems: string[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = tryParseJson(line);
    if (value === undefined) problems.push(`line ${at + 1}: is not valid JSON`);
    else lines.push({ number: at + 1, value, chars: line.length });
  }
  return { lines, problems };
}

function fileLinesOf(values: readonly unknown[]): Pick<LinesFile, 'lines' | 'problems'> {
  const lines = values.map((value, at) => {
    return { number: at + 1, value, chars: JSON.stringify(value).length };
  });
  return { lines, problems: [] };
}
