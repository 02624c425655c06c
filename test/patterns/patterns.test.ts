import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { growthMax, timesAsLong } from '../support/growth.ts';
import {
  listSources,
  loadComposed,
  placeAt,
  readPatterns,
  root,
  type SourcePattern,
} from './collect-patterns.ts';
import { worstCasesOf } from './worst-cases.ts';

/** How long the texts become that most patterns are tried with. */
const charsMax = 8000;

/** Patterns that meet short texts only: how long those are, and why. */
const shortTexts: Record<string, { chars: number; why: string }> = {
  'src/core/language/british-american.ts': { chars: 24, why: 'looks at words of up to 24 letters' },
  'src/conversations/markdown.ts': { chars: 500, why: 'reads the first 500 characters of a line' },
  'src/cli/hook/detect-project.ts': { chars: 500, why: 'reads the address of a git remote' },
  'src/cli/init/format-edits.ts': { chars: 1000, why: 'reads lines of configuration files' },
  'src/cli/init/write-config.ts': { chars: 255, why: 'reads names of files' },
  'src/config/model-options.ts': { chars: 500, why: 'reads an option' },
  'src/providers/models/local/embedding-conventions.ts': { chars: 500, why: 'reads model names' },
  'src/providers/models/local/model-config-files.ts': { chars: 500, why: 'reads an option' },
  'src/storage/postgres/connection/errors.ts': { chars: 500, why: "reads a server's messages" },
};

/** Patterns that are composed on call, of names that the caller defines, or of a language. */
const composedOnCall = [
  'src/app/models/static-text-embedder.ts',
  'src/client-entries/formats/toml.ts',
  'src/core/export/field-cues.ts',
  'src/core/export/schema-shape.ts',
];

const sources = listSources('src').map((file) => ({ file, ...readPatterns(file) }));

type Patterns = { composed: SourcePattern[]; all: SourcePattern[] };

async function findPatterns(): Promise<Patterns> {
  const composing = sources.filter(({ composed }) => composed.length > 0);
  const composed = await loadComposed(composing.map(({ file }) => file));
  const literals = sources.flatMap((one) => one.literals);
  const all = [...literals, ...composed];
  return { composed, all: [...new Map(all.map((one) => [keyOf(one), one])).values()] };
}

function keyOf({ place, source, flags }: SourcePattern): string {
  return JSON.stringify([place.split(':')[0], source, flags]);
}

/** As the sources use it: through all of the text, or until it is found. */
function search(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, '');
  else pattern.test(text);
}

/** A growth shows where both times are well above the noise. */
function measuredMax(chars: number): number {
  return chars === charsMax ? 16 * chars : chars;
}

/** Worth measuring: a pattern that reads a text of this length more than once takes longer. */
const quickMs = 2;

/**
 * What reads the text once takes 4 times as long for a text 4 times as long, and what reads it for
 * each of its characters 16 times: only growth between the two is measured with care.
 */
const suspectMin = 6;

/** A growth beyond this is no noise, and twice the text would take for ever. */
const doubtMax = 8;

/** Nearer to 2 than to the 4 of what reads the text for each of its characters. */
const linearMax = 2.7;

function growthAt(pattern: RegExp, [small, large]: [string, string]): Promise<number> {
  return timesAsLong(
    () => search(pattern, small),
    () => search(pattern, large),
  );
}

/** A text of its own words that makes the pattern slow, and by how much; null if there is none. */
async function findSlowText(found: SourcePattern): Promise<string | null> {
  const pattern = new RegExp(found.source, found.flags);
  const { chars } = shortTexts[found.place.split(':')[0] ?? ''] ?? { chars: charsMax };
  for (const { name, textOf } of worstCasesOf(found)) {
    let [length, ms, halfMs, quarterMs] = [12, 0, 0, 0];
    // Doubled step by step, because a text twice as long may take for ever.
    while (2 * length <= (ms < quickMs ? chars : measuredMax(chars)) && ms < 10 * quickMs) {
      length *= 2;
      const text = textOf(length);
      const started = performance.now();
      search(pattern, text);
      [quarterMs, halfMs, ms] = [halfMs, ms, performance.now() - started];
    }
    if (ms < quickMs || ms < suspectMin * quarterMs) continue;
    const growth = await growthAt(pattern, [textOf(length / 2), textOf(length)]);
    if (growth <= growthMax) continue;
    // A second look: in the first one, a pattern may have been compiled meanwhile.
    if (
      growth < doubtMax &&
      (await growthAt(pattern, [textOf(length), textOf(2 * length)])) <= linearMax
    )
      continue;
    return `${found.place}: ${growth.toFixed(1)} times as long for twice ${name}`;
  }
  return null;
}

const parts = 12;

describe('the patterns of the sources', () => {
  let patterns: Patterns;

  beforeAll(async () => {
    patterns = await findPatterns();
  });

  it('are found where they are composed too', async () => {
    const { composed, all } = patterns;

    const seen = new Set(composed.map(({ place }) => place));
    const unseen = sources.flatMap(({ file, composed: starts }) => {
      const text = readFileSync(join(root, file), 'utf8');
      const places = starts.map((start) => placeAt(file, text, start));
      return places.some((place) => !seen.has(place)) ? [file] : [];
    });
    expect(unseen).toEqual(composedOnCall);
    expect(all.length).toBeGreaterThan(900);
  });

  // In parts, none of which comes near its limit on a slow machine.
  it.each(Array.from({ length: parts }, (_, part) => part + 1))(
    `take at most 2.5 times as long for twice the text: part %i of ${parts}`,
    async (part) => {
      const slow: string[] = [];

      for (const [index, pattern] of patterns.all.entries()) {
        if (index % parts !== part - 1) continue;
        const found = await findSlowText(pattern);
        if (found !== null) slow.push(found);
      }

      expect(slow).toEqual([]);
    },
  );
});

describe('the generator of worst cases', () => {
  it.each([
    ['(?:a+)+$', ''],
    ['\\s+$', ''],
    ['(?<=password.{0,40}?:)[^\\s“]{4,}?(?=\\s|$)', 'g'],
    ['<[^>]*>', 'g'],
    ['von .+? auf', 'u'],
    ['^(\\w+)(\\w+)-\\d', ''],
  ])('finds a text that makes %s slow', async (source, flags) => {
    expect(await findSlowText({ place: 'a test', source, flags })).toContain('a test: ');
  });

  it.each([
    ['(?<!\\s)\\s+$', ''],
    ['<[^<>]*>', 'g'],
    ['\\b(?:one|two) [a-z]{0,20}', 'giu'],
  ])('finds none for %s', async (source, flags) => {
    expect(await findSlowText({ place: 'a test', source, flags })).toBeNull();
  });
});
