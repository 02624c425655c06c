import type { SentenceWords } from '../rules.ts';

export const germanSentences: SentenceWords = {
  speaker: 'ich|wir|meine?',
  joints: 'und|aber',
  conjunctions: 'und|aber|weil|denn|da|obwohl',
  relatives: '(?:der|die|das|dem|den|dessen|deren)(?=\\s\\p{Ll})',
  people:
    'er|ihn|ihm|ihr(?= )|seine?|ihre?|' +
    'sie(?= (?:ist|hat|war|wird|kann|mag|muss|heißt|wohnt|lebt|arbeitet|kommt)(?!\\p{L}))',
  things: 'es|das(?= (?:ist|war|wird|hat|geht|macht|stimmt|gilt))|die(?= (?:ist|hat|war)) ',
  anybody: /^(?:und |aber )?sie (?:haben|hatten|werden|wollen|wurden) /iu,
  unnamed: [
    /^(?:kommt|beginnt|fängt|startet|endet|öffnet|schließt|kostet|dauert|findet) (?:am|um|im|ab|bis|erst|schon|nächst|kommend|morgen|heute|übermorgen|\p{N})/iu,
    /^(?:wir|ich) (?:nehmen|nehme|machen|mache|gehen|gehe|fahren|fahre) (?:\S+ ){0,4}stattdessen[.!]*$|^stattdessen \S{1,30}(?: \S{1,30}){0,3}$/iu,
    /^(?:ja|nein|ok|okay|klar),? aber (?!(?:.{0,60} )?(?:ich|meine?\p{L}*|wir|unser\p{L}*)(?!\p{L}))/iu,
  ],
  joining: 'und|oder|aber',
  possessives: 'sein\\p{L}{0,2}|ihr\\p{L}{0,2}|mein\\p{L}{0,2}',
  role: 'als',
  places: 'in|bei|für',
  textTasks: 'übersetz|fasse? |zusammenfass|korrigier|umformulier|formulier',
  abbreviations:
    'dr|prof|nr|tel|str|bzw|ca|usw|inkl|zzgl|jan|feb|apr|jun|jul|aug|sep|sept|okt|nov|dez',
  ordinalAfter: 'am|im|zum|vom|bis|ab|seit|dem|den|der|das|jede\\p{L}',
};
