import type { CalendarWords } from '../calendar-words.ts';

export const italianCalendar: CalendarWords = {
  numbers:
    '(?:una?|uno) due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici',
  ordinals: 'prim[oa] second[oa] terz[oa] quart[oa] quint[oa]',
  last: "ultim[oa]|l[’']ultim[oa]",
  weekdays: 'luned[iì] marted[iì] mercoled[iì] gioved[iì] venerd[iì] sabato domenica',
  months:
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  units: 'giorn[oi] settiman[ae] mes[ei] ann[oi]',
  weeks: [
    '(?:la |della )?(?:scorsa settimana|settimana scorsa)',
    '(?:di )?questa settimana',
    '(?:la |della )?(?:prossima settimana|settimana prossima)',
    '(?:la |della )?settimana successiva',
  ],
  to: " ?[-–—] ?| (?:al|all[’']|fino al|e il|a) ?",
  steps: { dopodomani: 2, "(?:l[’'])?altro ieri": -2 },
  days: [
    '{nth} {weekday} (?:di |del mese di )?{month}(?: (?:del )?{year})?',
    '{weekday},? (?:di )?{week}',
    '{week},? (?:di )?{weekday}',
    '(?:tra|fra) {n} {unit}(?: esatt[ei])?',
  ],
  periods: [
    "(?:(?<=dall[’'])|){day}(?:{to}){day2} {month2}(?: {year})?",
    '{day} {month}(?:{to}){day2} {month2}(?: {year})?',
  ],
  holidays: {
    '12-24': 'vigilia(?: di natale)?|antivigilia',
    '12-25': '(?:il )?giorno di natale|natale',
    '12-26': 'santo stefano',
    '12-31': "san silvestro|capodanno(?= sera)|ultimo dell[’']anno",
    '01-01': 'capodanno',
    '01-06': 'epifania|befana',
    '02-14': 'san valentino',
    '04-25': '25 aprile',
    '08-15': 'ferragosto',
    '10-31': 'halloween',
    '11-01': 'ognissanti',
  },
  holiday: [
    "(?:a|per|alla|per la|la|il|fino a|da|l[’']|all[’']|per l[’']) ?{holiday}",
    '^(?:la )?{holiday}(?= (?!è |sono |mi )\\p{L})',
  ],
  present: 'è|sono|inizia|comincia',
  times: [
    ["(?<=(?:alle|all[’']|le|per le) ?){hour} e mezz[ao]", 30],
    ["(?<=(?:alle|all[’']|le) ?){hour} e un quarto", 15],
    ["(?<=(?:alle|all[’']|le) ?){hour} e tre quarti", 45],
    ["(?<=(?:alle|all[’']|le) ?){hour} meno un quarto", -15],
    ["(?<=(?:alle|all[’']|le) ?){hour} e dieci", 10],
    ["(?<=(?:alle|all[’']|le) ?){hour} e venti", 20],
    ["(?<=(?:alle|all[’']|le) ?){hour} meno dieci", -10],
    ["(?<=(?:alle|all[’']|le) ?){hour} meno venti", -20],
    ['(?<=(?:a|verso) )mezzogiorno', 720],
    ["(?<=(?:alle|all[’']) ?){hourw}(?! (?:e|meno))", 0],
    ["(?<=(?:alle|all[’']) ?){hour}(?= (?:di|del|della) (?:matt|ser|pome))", 0],
  ],
  before: 'di mattina|del mattino',
  after: 'di sera|della sera|del pomeriggio',
};
