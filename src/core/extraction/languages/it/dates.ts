import { type CalendarWords, listed, listOf, nearPeriods } from '../calendar-words.ts';
import { dateRules } from '../date-rules.ts';

const italianCalendar: CalendarWords = {
  numbers:
    '(?:una?|uno) due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici',
  ordinals: 'prim[oa] second[oa] terz[oa] quart[oa] quint[oa]',
  last: "ultim[oa]|l[’']ultim[oa]",
  weekdays: 'luned[iì] marted[iì] mercoled[iì] gioved[iì] venerd[iì] sabat[oi] domenic(?:a|he)',
  months:
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  seasons: 'primavera|estate|autunno|inverno',
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
  anniversaries: 'compleanno',
  recurring: [
    `(?:ogni|tutt[ie] (?:i|le|gli)) (?:due |tre |primo |ultimo )?${listOf('(?:{weekday}|giorn[oi]|nott[ei]|ser[ae]|mattin[ae]|settiman[ae]|fine settimana|weekend|mes[ei]|trimestr[ei]|ann[oi]|{season})', 'e|o')}(?: (?:sera|mattina|pomeriggio))?`,
    `(?:il|la) ${listOf('(?:il |la )?{weekday}', 'e|o')}(?: (?:sera|mattina|pomeriggio))?(?! (?:\\d|prossim|scors|dopo))`,
    '(?:da |dal )?{weekday}(?: (?:a|al) | ?[-–] ?){weekday}|nei (?:giorni feriali|fine settimana|weekend)',
  ],
  moved:
    '(?:(?<!(?:siamo|sono) )spostat|spostiam|spostan|cambiat(?!.{0,80} a ))(?!.{0,80} fino )|spostar|rimand|rinvi|posticip|anticip(?!o)|slitt',
  extended: 'prorog|prolung|estes',
  vague:
    "(?:(?:tra|fra|da) )?(?:qualche|alcun[ei]|poch[ei]|un paio di|divers[ei]) (?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi])(?: fa)?|l['’]altro giorno|un giorno(?: o l['’]altro)?|uno di questi giorni",
  announcing: 'il|del|al',
  joints: 'e|ma',
  habits: 'sempre',
  end: 'fine',
  yearLead: "l[’']anno ",
  reading: {
    last: 'scors[oa]|passat[oa]',
    near: nearPeriods(['settimana', 'mese', 'anno'], {
      last: '{} (?:scors[oa]|passat[oa])|scors[oa] {}',
      next: '{} prossim[oa]|prossim[oa] {}',
    }),
    beforeMonth: 'a|in|da|fino a',
    ofYear: 'di|del',
    beforeYear: 'in|dal|nel',
    dayAlone: '(?:il|dal|entro il)(?: giorno)? {day}{uncounted}',
    counted: 'per|ore|giorni|anni|volte|questo',
    duration: 'durante|per|da',
    from: 'dal',
    coming: 'a partire',
    articles: 'il|da|dal',
    weekend: 'fine settimana|weekend',
    ofDay: '\\bgiorni?\\b',
    ofWeek: 'settimana',
    ofMonth: '\\bmes[ei]\\b',
    dayEnd: 'º',
    today: 'oggi',
  },
};

export const italianDates = dateRules({
  calendar: italianCalendar,
  dated:
    "\\d{1,4}|ieri|l[’']altro ieri|domani|dopodomani|scors[oa]|prossim[oa]|" +
    'fa|' +
    `(?:tra|fra) (?:${listed(italianCalendar.numbers)}) \\p{L}+|` +
    'weekend|fine settimana',
  since: "(?:sin|fin) da(?:l|ll[’']|lla)?|dal|dall[’']|dalla",
  starting: "a partire da(?:l|ll[’']|lla)?|da",
  until: "fino (?:a(?:l|ll[’']|lla)?|in)",
  from: 'dal?|tra|fra',
  to: 'fino al?|al?|e',
  beforeHour: /(?<=\d) (?=alle \d)/giu,
  every: 'ogni',
  yearly:
    "ogni (?:\\p{L}+ )?ann[oi]|tutti gli anni|annualmente|(?:una volta|due volte) (?:all[’']anno|l[’']anno)",
  ordinal: '(?:º)?',
  of: 'di ',
  alone: '(?= alle? |[,;.!?)]|$)',
  lead: '(?<lead>il|dal|al|del|entro)',
  on: 'il ',
  between: 'il',
  movedTo: "(?:fino )?(?:al?|all[’']|alla|per)(?: il)?",
  comingDays:
    'domani|dopodomani|(?:settimana|mese|anno) prossim[oa]|prossim[oa] \\p{L}+|fine|inizio',
  arranged:
    '(?:(?:ri)?prenot|program|fiss|pianific|organizz|riserv)(?:at[oaie]|ai|ò|ammo)(?!\\p{L})|' +
    'iscritt[oaie]|previst[oaie]|invitat[oaie] (?:a|al|alla|all[’\x27]|per)|confermat[oaie] (?:per|al)|ricordat[oaie]|' +
    '(?:ricevuto|avuto|ottenuto) (?:\\p{L}+ ){0,2}(?:appuntamento|invit[oi] per)|(?:deciso|promesso|accettato) (?:\\p{L}+ ){0,3}di \\p{L}+(?:re|r[mstcv]i|rl[aeio])(?!\\p{L})|(?:preso|presi|comprato) (?:\\p{L}+ ){0,2}(?:bigliett[oi]|appuntamento)|segnat[oaie] (?:per|al)',
  ahead:
    "apre|chiude|arriva|viene|parte|devo|dobbiamo|sarà|avrà|vale|scade|finisce|termina|(?:è|sono)(?= (?:il )?l[’'])",
  not: 'non|invece|posto',
  calledOff: {
    the: 'mio|mia|nostro|nostra|il|la|suo|sua',
    of: "del|dell[’']|di",
    before: '(?:annullat|cancellat|disdett)[oa]',
    behind: '(?:annullat|cancellat|disdett)[oa]',
    lasting: 'abbonament|contratto|conto|assicur|carta|ordine',
  },
});
