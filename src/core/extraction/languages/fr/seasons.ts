import type { SeasonWords } from '../calendar-words.ts';

export const frenchSeasons: SeasonWords = {
  language: 'french',
  seasons: ['printemps', 'été', 'automne', 'hiver'],
  // "Le contrat a été passé": been, not summer.
  where:
    '(?:(?!été)|(?<!(?<![\\p{L}\\p{M}])(?:ai|as|a|avons|avez|ont|av\\p{L}+|aur\\p{L}+) )(?=été))',
  year: ["(?:(?:en|cet|un|au|à|de) |[ld]['’]){1,4}SEASON(?: (?:de|en))? YEAR"],
  lastYear: ["SEASON de l['’](?:an dernier|année dernière|an passé|année passée)"],
  thisYear: ['SEASON de cette année'],
  nextYear: ["SEASON de l['’](?:an prochain|année prochaine)"],
  last: ['SEASON (?:dernier|passé)'],
  next: ['SEASON prochain', 'prochain SEASON'],
  this: ['cet? SEASON'],
  any: ["(?:en|au|à l['’]) ?SEASON"],
};
