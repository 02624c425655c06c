import type { SeasonWords } from '../calendar-words.ts';

export const portugueseSeasons: SeasonWords = {
  language: 'portuguese',
  seasons: ['primavera', 'verão', 'outono', 'inverno'],
  year: ['SEASON(?: de| em)? YEAR'],
  lastYear: ['SEASON do ano passado'],
  thisYear: ['SEASON deste ano'],
  nextYear: ['SEASON do (?:ano que vem|próximo ano|ano próximo)'],
  last: ['SEASON passad[oa]', '(?:passad[oa]|últim[oa]) SEASON'],
  next: ['SEASON que vem', 'próxim[oa] SEASON'],
  this: ['[nd]?est[ea] SEASON'],
  any: ['n[oa] SEASON'],
};
