import type { Language } from './languages.ts';

/**
 * How a language names seasons, as sources of patterns. In templates SEASON stands for one of the
 * four, YEAR for the digits of a year.
 */
export type SeasonWords = {
  /** Null where the writing tells the language. */
  language: Language | null;
  /** Spring, summer, autumn, winter. */
  seasons: readonly [string, string, string, string];
  year: readonly string[];
  lastYear: readonly string[];
  thisYear: readonly string[];
  nextYear: readonly string[];
  last: readonly string[];
  this: readonly string[];
  next: readonly string[];
  /** "In the summer": of which year, only the tense tells. */
  any: readonly string[];
  /** What must be true of the place where a season is named: the same letters mean other things. */
  where?: string;
  /** In texts of this language the same letters mean other things: "in estate planning". */
  unlike?: Language;
  /** Written without spaces, so that words have no borders. */
  spaceless?: boolean;
};

/** By code of ISO 639-1: the languages whose dates are read. */
export const seasonWords: Readonly<Record<string, SeasonWords>> = {
  en: {
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
  },
  de: {
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
  },
  fr: {
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
  },
  es: {
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
  },
  it: {
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
  },
  pt: {
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
  },
  ru: {
    language: 'russian',
    seasons: [
      'весн(?:ой|ою|а|ы|у|е)',
      'лет(?:ом|о|а|у|е)',
      'осен(?:ью|ь|и)',
      'зим(?:ой|ою|а|ы|у|е)',
    ],
    year: ['SEASON YEAR(?: года?|-го)?'],
    lastYear: ['SEASON прошлого года', 'в прошлом году SEASON'],
    thisYear: ['SEASON этого года', 'в этом году SEASON'],
    nextYear: ['SEASON (?:следующего|будущего) года', 'в (?:следующем|будущем) году SEASON'],
    last: ['(?:прошл|минувш)\\p{L}+ SEASON'],
    next: ['(?:следующ|будущ|ближайш|предстоящ)\\p{L}+ SEASON'],
    this: ['(?:эт(?:им|ой|ого|от|о|а|у)|нынешн\\p{L}+) SEASON'],
    any: ['SEASON(?<=ой|ою|ом|ью)'],
  },
  ja: {
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
  },
  zh: {
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
  },
};
