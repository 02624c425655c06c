import type { SeasonWords } from '../calendar-words.ts';

export const russianSeasons: SeasonWords = {
  language: 'russian',
  seasons: ['весн(?:ой|ою|а|ы|у|е)', 'лет(?:ом|о|а|у|е)', 'осен(?:ью|ь|и)', 'зим(?:ой|ою|а|ы|у|е)'],
  year: ['SEASON YEAR(?: года?|-го)?'],
  lastYear: ['SEASON прошлого года', 'в прошлом году SEASON'],
  thisYear: ['SEASON этого года', 'в этом году SEASON'],
  nextYear: ['SEASON (?:следующего|будущего) года', 'в (?:следующем|будущем) году SEASON'],
  last: ['(?:прошл|минувш)\\p{L}+ SEASON'],
  next: ['(?:следующ|будущ|ближайш|предстоящ)\\p{L}+ SEASON'],
  this: ['(?:эт(?:им|ой|ого|от|о|а|у)|нынешн\\p{L}+) SEASON'],
  any: ['SEASON(?<=ой|ою|ом|ью)'],
};
