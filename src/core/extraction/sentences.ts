/**
 * Splits text into sentences. `Intl.Segmenter` proposes boundaries. A boundary counts only before
 * white space or the end, and not after an abbreviation or ordinal number, inside an address or
 * quotation, or before lower case. Line breaks end sentences too. When in doubt, sentences stay
 * together: half a fact is worse than two in one.
 */
export function splitSentences(text: string): string[] {
  return text
    .split(/\n+/)
    .map((line) => line.replace(listMark, ''))
    .flatMap(splitLine)
    .flatMap(splitLongRun);
}

const listMark = /^\s*(?:[-*•]|\d+[.)])\s+/;

/** Cached, because its rules take longer to load than a whole search takes. */
let segmenter: Intl.Segmenter | undefined;

/** Loads the rules of sentence boundaries. */
export function loadSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return segmenter;
}

function splitLine(line: string): string[] {
  const sentences: string[] = [];
  for (const { segment } of loadSegmenter().segment(line)) {
    const last = sentences.at(-1);
    if (last !== undefined && isSameSentence(last, segment)) {
      sentences[sentences.length - 1] = last + segment;
    } else {
      sentences.push(segment);
    }
  }
  return sentences;
}

/** True when the next segment belongs to the same sentence. */
function isSameSentence(before: string, after: string): boolean {
  const spaceless = /[。！？｡]\s*$/u.test(before);
  if (!/\s$/.test(before) && !spaceless) return true;
  if (/^\p{Ll}/u.test(after) && (!isCasual(before) || continuingPronoun.test(after))) return true;
  return ordinal.test(before) || abbreviation.test(before);
}

const continuingPronoun = /^(?:he|she|it|they|his|her|their|its|that|this)(?!\p{L})/u;

/** A text that starts a sentence in lower case does so for the next one, too. */
function isCasual(before: string): boolean {
  return /^\P{L}*\p{Ll}/u.test(before) && /[\p{L}\p{N})]{2}[.!]+\s+$/u.test(before);
}

/** "3. Mai", "12. August": in many languages a dot makes a number an ordinal. */
const ordinal = /(?:^|\s)\d{1,2}\.\s*$/;

/** One letter, or a usual short form, and a dot: "J.", "Dr.", "Dra.", "p.m.", "z.B.", "Av.". */
const abbreviation = new RegExp(
  '(?:^|[\\s(])(?:\\p{L}|\\p{L}\\.\\s?\\p{L}|' +
    'dr|dra|mr|mrs|ms|prof|sr|sra|srta|ud|uds|st|sta|ste|jr|vs|approx|' +
    'etc|no|nr|nro|tel|av|avda|' +
    'bd|blvd|ave|str|bzw|ca|usw|inkl|zzgl|mme|mlle|sig|dott|ing|lic|' +
    'gen|col|capt|sgt|fig|vol|' +
    'jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez)\\.\\s*$',
  'iu',
);

/** Memories are sentence-sized, so a long run without full stops is split at white space. */
function splitLongRun(sentence: string): string[] {
  return sentence.match(/\S[\s\S]{0,1999}(?=\s|$)|\S{1,2000}/g) ?? [];
}
