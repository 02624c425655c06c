import { reasonOf } from '../../contract/errors.ts';
import type { Log } from '../../log.ts';
import {
  type EnglishTable,
  readEnglishTable,
} from '../../providers/models/static/english-table.ts';
import {
  type OtherLanguagesTable,
  readOtherLanguagesTable,
} from '../../providers/models/static/other-languages-table.ts';
import { packageFile } from './bundled-files.ts';
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
    read: (options) => readEnglishTable(packageFile('embedding', 'english.bin'), options),
    without: 'searches match words only',
  } satisfies TableReader<EnglishTable>,
  others: {
    read: (options) => readOtherLanguagesTable(packageFile('embedding', 'languages.bin'), options),
    without: 'searches in languages other than English match words only',
  } satisfies TableReader<OtherLanguagesTable>,
};

function readTable<Table>(log: Log, { read, without }: TableReader<Table>): Table | null {
  try {
    return read();
  } catch (error) {
    log('warn', `embedding table cannot be read: ${without}`, { error: reasonOf(error) });
    return null;
  }
}
