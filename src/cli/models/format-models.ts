import type { ModelList } from '../../app/models/list-models.ts';
import type { SearchQuality } from '../../app/models/model-catalog.ts';
import { formatColumns, outputWidth, wrapText } from '../io/output.ts';

export function formatModels({ in_use, runtime, models, words }: ModelList): string {
  const rows = models.map((one) => [
    one.name,
    one.in_use ? 'in use' : one.installed ? 'installed' : '',
    String(Math.round(one.download_bytes / 1_000_000)),
    String(one.dimensions),
    ...qualityCells(one.measured),
    one.languages,
  ]);
  const figures = ['ENGLISH', 'OTHERS', 'LOCOMO'];
  const head = ['MODEL', '', 'MB', 'DIMS', ...figures, 'FOR'];
  const other = models.some((one) => one.in_use)
    ? []
    : [`In use: ${in_use === 'words' ? 'words only' : in_use}.`];
  const legend =
    'MB: size of the download. DIMS: numbers in a vector. FOR: languages, or how many. ' +
    'ENGLISH and OTHERS: percent of questions in other words that are answered within 5 results, ' +
    'in English and in 8 other languages. LOCOMO: percent of the evidence of its questions within ' +
    `10 results. By words alone: ${qualityCells(words).join(', ')}. A dash: not measured.`;
  const runtimeState = runtime.installed
    ? 'The package that runs models is installed.'
    : 'The package that runs models (500 MB on disk) is fetched with the first of them.';
  const hint = 'mneme models use NAME switches to a model, mneme models off back to the table.';
  const notes = [...other, legend, runtimeState, hint].flatMap((text) =>
    wrapText(text, outputWidth() - 2),
  );
  return [formatColumns([head, ...rows]), '', ...notes.map((line) => `  ${line}`)].join('\n');
}

function qualityCells(measured: SearchQuality | null): string[] {
  if (measured === null) return ['-', '-', '-'];
  const { english, other_languages, locomo } = measured;
  return [String(english), String(other_languages), locomo?.toFixed(1) ?? '-'];
}
