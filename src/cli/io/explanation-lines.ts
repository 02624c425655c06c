import type { Explanation } from '../../contract/schemas/search.ts';
import { shortIdOf, withShortIds } from '../../contract/short-id.ts';
import { printableLine } from './printable.ts';

/** An explanation for people: the stages, the parts of each score, and what fell out where. */
export function explanationLines({ stages, results, left_out, memory }: Explanation): string[] {
  return [
    '',
    ...section('Stages', stages.map(stageLine)),
    ...section('Scores', results.map(resultLine)),
    ...section('Left out', left_out.map(leftOutLine)),
    ...(memory === undefined ? [] : [`Why not ${shortIdOf(memory.id)}`, memoryLine(memory)]),
  ].map(printableLine);
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

function stageLine({ stage, query, memories, limit }: Explanation['stages'][number]): string {
  const question = query === null ? '' : `  ${JSON.stringify(query)}`;
  const limitNote = limit === null ? '' : `  (limit ${roundTo2(limit)})`;
  return `  ${stage.padEnd(10)}  ${String(memories).padStart(5)}${limitNote}${question}`;
}

function resultLine({ id, score, score_breakdown, found_by }: Explanation['results'][number]) {
  const parts = Object.entries(score_breakdown ?? {})
    .filter(([, part]) => part > 0)
    .map(([name, part]) => `${name} ${roundTo2(part)}`);
  const scores = [score === null ? '-' : roundTo2(score), ...parts].join('  ');
  return `  ${shortIdOf(id)}  ${scores}  found by ${found_by.join(', ')}`;
}

function leftOutLine({ id, stage, score, limit }: Explanation['left_out'][number]): string {
  const numbers = [
    ...(score === null ? [] : [`score ${roundTo2(score)}`]),
    ...(limit === null ? [] : [`limit ${roundTo2(limit)}`]),
  ];
  return `  ${shortIdOf(id)}  ${[stage, ...numbers].join('  ')}`;
}

function memoryLine({ stage, reason }: NonNullable<Explanation['memory']>): string {
  return `  ${stage ?? 'in the answer'}: ${withShortIds(reason)}`;
}

function roundTo2(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
