import type { SeasonWords } from '../calendar-words.ts';

export const spanishSeasons: SeasonWords = {
  language: 'spanish',
  seasons: ['primavera', 'verano', 'otoño', 'invierno'],
  year: ['SEASON(?: del?| en| del año)? YEAR'],
  lastYear: ['SEASON del (?:año pasado|pasado año)'],
  thisYear: ['SEASON de este año'],
  nextYear: ['SEASON del (?:año que viene|próximo año|año próximo)'],
  last: ['SEASON pasad[oa]', 'pasad[oa] SEASON'],
  next: ['SEASON (?:que viene|próxim[oa])', 'próxim[oa] SEASON'],
  this: ['est[ea] SEASON'],
  any: ['en (?:el |la )?SEASON'],
};
