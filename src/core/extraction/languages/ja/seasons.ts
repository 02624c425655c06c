import type { SeasonWords } from '../calendar-words.ts';

export const japaneseSeasons: SeasonWords = {
  language: null,
  seasons: ['春', '夏', '秋', '冬'],
  // Akita, Akihabara, Kasuga, Natsume.
  where: '(?!春[日香]|夏目|秋[田葉])',
  year: ['YEAR年の?SEASON'],
  lastYear: ['(?:去年|昨年)の?SEASON'],
  thisYear: ['今年の?SEASON'],
  nextYear: ['来年の?SEASON'],
  last: ['(?:昨|この前の|前の)SEASON'],
  next: ['(?:来|次の|今度の)SEASON'],
  this: ['(?:この|今)SEASON'],
  any: ['SEASON(?:に|休み)'],
  spaceless: true,
};
