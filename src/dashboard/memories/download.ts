import { archiveVersion } from '../../contract/archive/archive-version.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import { today } from '../parts/times.ts';

type FileToSave = { name: string; type: string; text: string };

/** Memories as the API returns them. */
export function asJson(memories: readonly Memory[]): FileToSave {
  const text = `${JSON.stringify(memories, null, 2)}\n`;
  return { name: `memories-${today()}.json`, type: 'application/json', text };
}

/** Memories as lines of a project's export, which an import reads. */
export function asArchive(memories: readonly Memory[]): FileToSave {
  const created_at = new Date().toISOString();
  const header = { mneme: 'export', version: archiveVersion, created_at };
  const lines = [header, ...memories.map(toLine), { kind: 'end' }];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { name: `memories-${today()}.jsonl`, type: 'application/jsonl', text };
}

/** What is computed from the other fields is not in a file. */
function toLine(memory: Memory) {
  const { session_id: _s, hash: _h, structured_attributes: _a, ...fields } = memory;
  return { kind: 'memory', ...fields };
}

/** The browser saves a file that was made here. */
export function download({ name, type, text }: FileToSave): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
