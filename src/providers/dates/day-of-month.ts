import type { Occurrence } from '../../core/ports/index.ts';

type DayOfMonthContext = { said_at: string; tense: 'past' | 'future' | null };

/**
 * "On the 28th": in the past tense the latest such day up to today, else the next one. Null if no
 * day of a month stands alone in the text.
 */
export function readDayOfMonth(text: string, about: DayOfMonthContext): Occurrence | null {
  const groups = dayOfMonthPatterns.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  const day = Number(groups?.day ?? 0);
  if (day < 1 || day > 31) return null;
  const now = new Date(about.said_at);
  const [year, month, today] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const isPast = about.tense === 'past';
  const isThisMonth = isPast ? day <= today : day >= today;
  const step = isPast ? -1 : 1;
  // A month that has no such day is passed over; no two such months follow one another.
  for (const away of isThisMonth ? [0, 1, 2] : [1, 2]) {
    const at = new Date(Date.UTC(year, month + away * step, day));
    if (at.getUTCDate() === day) return { at: at.toISOString(), granularity: 'day' };
  }
  return null;
}

/** What follows in English, where an ordinal number counts much else too. */
const englishEnd =
  '(?=\\s*(?:[.,;:!?)–—-]|$)|\\s+(?:at|and|or|in|with|to|so|but|because|which|when|if|for|then|is|' +
  'was|around|about|from|of (?:this|next|last) month)(?!\\p{L}))';

/** What follows in Romance languages if the number is none of a day. */
const romanceUnits =
  '(?! ?(?:[.,:/]?\\d|[%º°€$x]|d[ei] \\p{L}|por|pour|per|cento|cent|h(?:eures?|oras?)?(?!\\p{L})|ore|' +
  'min|jours|días|dias|giorni|sem|mois|mes|ans|años|anos|anni|fois|veces|volte|vezes|kil|km|m(?!\\p{L})|' +
  'met|mèt|euro|person|gen|jan|ene|f[eé][bv]|mar|abr|apr|avr|ma[iyg]|giu|jui|jun|lug|jul|ago|ao[uû]|set|' +
  'sep|ott|out|oct|nov|d[eéi][cz]|este|questo|premi|prim))';

const spacedPatterns = [
  `(?:on|by|until|till|from|since|before|after|due|is|was|for|to) the (?<day>\\d{1,2})(?:st|nd|rd|th)${englishEnd}`,
  '(?:am|zum|bis zum|vom|ab dem|seit dem) (?<day>\\d{1,2})\\.(?! ?\\d)(?! (?:jan|feb|mär|apr|mai|jun|jul|' +
    'aug|sep|okt|nov|dez|geburtstag|jahrestag|hochzeitstag|stock|platz|tag|mal|kilometer))',
  `(?:le|du|au|dès le|depuis le) (?<day>\\d{1,2})(?!\\d)${romanceUnits}`,
  `(?:el|del|al)(?: día)? (?<day>\\d{1,2})(?!\\d)${romanceUnits}`,
  `(?:il|dal|entro il)(?: giorno)? (?<day>\\d{1,2})(?!\\d)${romanceUnits}`,
  `dia (?<day>\\d{1,2})(?!\\d)${romanceUnits}`,
  '(?<day>\\d{1,2})(?:(?:-?го)? числа|-го)(?!\\p{L})',
].map((source) => new RegExp(`(?<!\\p{L})${source}`, 'iu'));

const dayOfMonthPatterns = [
  ...spacedPatterns,
  /(?<![月\d])(?<day>\d{1,2})日(?![間目前後本中々]|以内|おき|ごと)/u,
  /(?<![月\d第])(?<day>\d{1,2})号(?=[我你他她们去到要有会来交回开考出下上前之，。,]|$)/u,
];
