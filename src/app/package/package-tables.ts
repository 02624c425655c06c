import type { Log } from '../../log.ts';
import { readStaticTable, type StaticTable } from '../../providers/models/static/static-table.ts';
import { readWordTable, type WordTable } from '../../providers/models/static/word-table.ts';
import { packageFile } from './package-files.ts';
import { createTextEmbedder, type TextEmbedder } from './static-text-embedder.ts';

let opened: TextEmbedder | null = null;

/**
 * Gives texts the vectors of the tables of the package, which are read once for search and
 * extraction. Null, and said in the log, if the English table cannot be read.
 */
export function openTextEmbedder(log: Log): TextEmbedder | null {
  if (opened !== null) return opened;
  const english = readTable(log, tableReaders.english);
  if (english === null) return null;
  opened = createTextEmbedder(english, () => readTable(log, tableReaders.others));
  return opened;
}

type TableReader<Table> = { read: (options?: { verify: boolean }) => Table; without: string };

/** The tables of the package, and how searches work without them. */
export const tableReaders = {
  english: {
    read: (options) => readStaticTable(packageFile('embedding', 'english.bin'), options),
    without: 'searches match words only',
  } satisfies TableReader<StaticTable>,
  others: {
    read: (options) => readWordTable(packageFile('embedding', 'languages.bin'), options),
    without: 'searches in languages other than English match words only',
  } satisfies TableReader<WordTable>,
};

function readTable<Table>(log: Log, { read, without }: TableReader<Table>): Table | null {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', `embedding table cannot be read: ${without}`, { error: reason });
    return null;
  }
}
