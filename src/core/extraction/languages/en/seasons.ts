import type { SeasonWords } from '../calendar-words.ts';

export const englishSeasons: SeasonWords = {
  language: 'english',
  seasons: ['spring', 'summer', 'autumn|fall', 'winter'],
  // "Prices fall this year", "a bad fall in 2019".
  where:
    '(?:(?!fall)|(?=fall,? (?:of )?(?:19|20)\\d\\d)|' +
    '(?<=\\b(?:the|in|during|over|by|last|past|previous|this|next|coming|upcoming|current|' +
    "early|late|year['’]s|\\d{4}(?:['’]s)?) )(?=fall))",
  year: ['SEASON(?:time)?(?:,? of|,? in)?,? YEAR', "YEAR(?:['’]s)? SEASON"],
  lastYear: ['SEASON(?:time)? (?:of )?last year', "last year['’]s SEASON"],
  thisYear: ['SEASON(?:time)? (?:of )?this year', "this year['’]s SEASON"],
  nextYear: ['SEASON(?:time)? (?:of )?next year', "next year['’]s SEASON"],
  last: ['(?:this )?(?:last|past|previous) SEASON'],
  next: ['(?:this )?(?:next|coming|upcoming) SEASON'],
  this: ['(?:this|the current) SEASON'],
  any: ['(?:in|during|over|by) (?:the )?(?:early |late )?SEASON(?:time)?'],
};
