import { tryParseJson } from '../../contract/schemas/json.ts';

/**
 * The JSON in a model's response: all of it, the content of a fence, or the text from the first
 * opening to the last closing brace. Leading thoughts are ignored. Undefined without JSON.
 */
export function extractJson(answer: string): unknown {
  const text = answer.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const whole = tryParseJson(text);
  if (whole !== undefined) return whole;
  const fenced = /```(?:json)?[ \t]*\r?\n([\s\S]*?)```/i.exec(text)?.[1];
  const inside = fenced === undefined ? undefined : tryParseJson(fenced);
  if (inside !== undefined) return inside;
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start === -1 || end <= start ? undefined : tryParseJson(text.slice(start, end + 1));
}
