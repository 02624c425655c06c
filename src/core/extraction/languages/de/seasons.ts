import type { SeasonWords } from '../calendar-words.ts';

export const germanSeasons: SeasonWords = {
  language: 'german',
  seasons: ['frühlings?|frühjahrs?', 'sommers?', 'herbst(?:e?s)?', 'winters?'],
  year: ['SEASON(?: des jahres)? YEAR'],
  lastYear: ['SEASON (?:des )?(?:letzten|vergangenen|vorigen) jahre?s', 'letztes jahr im SEASON'],
  thisYear: ['SEASON dieses jahres', 'dieses jahr im SEASON'],
  nextYear: ['SEASON (?:des )?(?:nächsten|kommenden) jahre?s', 'nächstes jahr im SEASON'],
  last: ['(?:letzte|vorige|vergangene)[mnrs]? SEASON'],
  next: ['(?:nächste|kommende)[mnrs]? SEASON'],
  this: ['diese[mnrs]? SEASON'],
  any: ['im SEASON'],
};
