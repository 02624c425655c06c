import { parseIfJson } from '../../contract/schemas/json.ts';
import { anyLanguage } from './languages/all-languages.ts';

/**
 * Removes fenced code blocks from a text. A block without a closing fence stays, because it may not
 * be code, and so does a block for which `isKept` accepts the line before it.
 */
export function stripCode(text: string, isKept: (before: string) => boolean): string {
  const lines = text.split('\n');
  const visibleLines: string[] = [];
  let block: string[] | null = null;
  let before = '';
  for (const line of lines) {
    if (block === null) {
      if (fenceOpening.test(line) && !isKept(before)) block = [line];
      else visibleLines.push(line);
      if (line.trim() !== '') before = line;
      continue;
    }
    block.push(line);
    const closes = line.indexOf(fence);
    if (closes === -1) continue;
    block = null;
    visibleLines.push(line.slice(closes + fence.length));
  }
  return [...visibleLines, ...(block ?? [])].join('\n');
}

const fence = '```';
const fenceOpening = /^[ \t]*```[^`]*$/;

/** Whether a sentence is a line that a program wrote: of a log, an error or a stack trace. */
export function isProgramOutput(sentence: string): boolean {
  return programOutput.test(sentence);
}

/** Programs everywhere write these in English. */
const programOutput = new RegExp(
  [
    String.raw`^>?\s{0,9}(?:\S{0,20}\d\d:\d\d:\d\d\S{0,20} )?\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)[\]:\s]`,
    String.raw`^(?:npm ERR|Traceback \(most|error(?:\[\w+\])?: |fatal: |panic: |thread '[^']{0,40}' panicked)`,
    String.raw`^[\w.]{0,60}(?:Error|Exception): `,
    String.raw`^(?:Segmentation fault|Killed|Aborted|Bus error)\b(?: \(core dumped\))?[,.!:]`,
    String.raw`^\s{0,9}at \S{1,60} \(\S{1,200}:\d`,
  ].join('|'),
  'u',
);

/** Whether a text is a JSON object or list, which nobody says to change what is known. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && typeof parseIfJson(text) === 'object';
}

/** Whether a sentence is a quotation that the request before it is about. */
export function isQuotedMaterial(sentence: string, before: string): boolean {
  return quotation.test(sentence) && textTasks.test(before);
}

/** Whether a sentence asks for work on a text, or quotes one. */
export function isTextTask(sentence: string): boolean {
  return /["“”«„»]/u.test(sentence) || textTasks.test(sentence);
}

const quotation = /^["“”«„][^"”»]+["”»“][.!]?$/u;

const textTasks = new RegExp(
  anyLanguage(({ sentences }) => sentences.textTasks),
  'iu',
);
