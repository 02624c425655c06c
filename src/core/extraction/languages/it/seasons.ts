import type { SeasonWords } from '../calendar-words.ts';

export const italianSeasons: SeasonWords = {
  language: 'italian',
  unlike: 'english',
  seasons: ['primavera', 'estate', 'autunno', 'inverno'],
  year: ["SEASON(?: del(?:l['’]anno)?| nel)? YEAR"],
  lastYear: ["SEASON dell['’]anno (?:scorso|passato)", 'SEASON dello scorso anno'],
  thisYear: ["SEASON di quest['’]anno"],
  nextYear: ["SEASON dell['’]anno prossimo", 'SEASON del prossimo anno'],
  last: ['SEASON (?:scors[oa]|passat[oa])', '(?:scors[oa]|passat[oa]) SEASON'],
  next: ['SEASON prossim[oa]', 'prossim[oa] SEASON'],
  this: ["quest(?:[oa] |['’])SEASON"],
  any: ["(?:in |d['’]|nell['’])SEASON"],
};
