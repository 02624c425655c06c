import type { ArchiveLine } from '../../contract/archive/archive-line.ts';
import type { Deps } from '../ports/index.ts';
import { redactInput } from '../safety/redact-input.ts';

/** A line as it may be stored, and whether secrets were taken out of it. */
export type RedactedLine = { line: ArchiveLine; redacted: boolean };

export type RedactionDeps = Pick<Deps, 'secrets' | 'keep_source'>;

/**
 * What a line tells is kept by the same rules as what is added: what looks like a secret is taken
 * out of its texts, or the line is refused (`invalid`, naming the field). Where sources are not
 * kept, none is taken.
 */
export async function redactLine(line: ArchiveLine, deps: RedactionDeps): Promise<RedactedLine> {
  const open = await redactInput(line, deps.secrets);
  const before: Readonly<Record<string, unknown>> = line;
  const redacted = Object.entries(open).some(([field, value]) => before[field] !== value);
  return { line: deps.keep_source === false ? removeSource(open) : open, redacted };
}

function removeSource(line: ArchiveLine): ArchiveLine {
  if (line.kind === 'memory' || line.kind === 'version') return { ...line, said: null };
  return line.kind === 'history' ? { ...line, input: [] } : line;
}
