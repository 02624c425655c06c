import type { SeasonWords } from '../calendar-words.ts';

export const chineseSeasons: SeasonWords = {
  language: null,
  seasons: ['春[天季]?', '夏[天季]?', '秋[天季]?', '冬[天季]?'],
  // The Spring Festival, Hawaii, camps, a swing, Winter Olympics, the solstice.
  where: '(?!春[节晚联城]|夏[威令]|秋[田千]|冬[奥令至瓜])',
  year: ['YEAR年的?SEASON'],
  lastYear: ['去年的?SEASON'],
  thisYear: ['今年的?SEASON'],
  nextYear: ['明年的?SEASON'],
  last: ['上个?SEASON'],
  next: ['下个?SEASON'],
  this: ['这个?SEASON'],
  any: ['在SEASON'],
  spaceless: true,
};
