import type { Message, ToolResult } from './support.ts';

/** Codes of refusals that are the caller's to mend. */
const codes = ['invalid', 'not_found', 'conflict', 'forbidden', 'too_large'];

/** Nothing of the inside reaches a model. */
const leaks = [/\\n\s+at /, /SQLITE/, /internal error/, /node_modules|dist\//, /unavailable/];

/** What is wrong with a response; null if it is a result or a clear error. */
export function faultOf({ result, error }: Message, data_dir: string): string | null {
  const all = JSON.stringify(result ?? error);
  const leak = leaks.map((pattern) => pattern.exec(all)?.[0]).find((found) => found !== undefined);
  if (leak !== undefined || all.includes(data_dir)) return `leaks ${leak ?? 'the data folder'}`;
  if (error !== undefined) {
    return error.code === -32602 ? null : `protocol error ${error.code}: ${error.message}`;
  }
  const { isError, structuredContent, content } = result as ToolResult; // the result of every tool
  if (!isError) return content[0]?.type === 'text' ? null : 'an answer without text';
  const refusal = structuredContent.error as { code: string; message: string };
  if (!codes.includes(refusal.code)) return `code ${refusal.code}: ${refusal.message}`;
  return all.length > 5000 ? `an error of ${all.length} characters` : null;
}
