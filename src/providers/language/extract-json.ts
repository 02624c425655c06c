/**
 * The JSON that a model's answer holds: the whole of it, what a fence encloses, or what stands
 * between the first opening and the last closing brace. What the model thought before is left out.
 * Undefined when there is none.
 */
export function extractJson(answer: string): unknown {
  const told = answer.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const whole = tryParseJson(told);
  if (whole !== undefined) return whole;
  const fenced = /```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?[ \t]*```/i.exec(told)?.[1];
  const inside = fenced === undefined ? undefined : tryParseJson(fenced);
  if (inside !== undefined) return inside;
  const start = told.indexOf('{');
  const end = told.lastIndexOf('}');
  return start === -1 || end <= start ? undefined : tryParseJson(told.slice(start, end + 1));
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
