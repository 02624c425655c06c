import type { CalendarWords } from '../calendar-words.ts';

export const germanCalendar: CalendarWords = {
  numbers:
    'eine[nrm]?|ein|eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn',
  ordinals:
    'erste[nrms]?|1\\. zweite[nrms]?|2\\. dritte[nrms]?|3\\. vierte[nrms]?|4\\. fünfte[nrms]?|5\\.',
  last: 'letzte[nrms]?',
  weekdays: 'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
  months:
    'jan(?:uar)?|jänner feb(?:ruar)? märz apr(?:il)? mai juni? juli? aug(?:ust)? sept?(?:ember)? okt(?:ober)? nov(?:ember)? dez(?:ember)?',
  units: 'tag(?:en?)? wochen? monat(?:en?)? jahr(?:en?)?',
  weeks: [
    '(?:in der )?(?:letzte[nr]?|vorige[nr]?|vergangene[nr]?) woche',
    '(?:in )?diese[rn]? woche',
    '(?:in der )?(?:nächste[nr]?|kommende[nr]?) woche',
    '(?:in der )?übernächste[nr]? woche',
  ],
  to: ' ?[-–—] ?| (?:bis|und) (?:(?:zum|dem|den) )?',
  steps: { vorvorgestern: -3, vorgestern: -2, übermorgen: 2, überübermorgen: 3 },
  days: [
    '(?<!seit (?:dem )?){day}\\.{monthn}\\.(?! ?\\d)',
    '{nth} {weekday} (?:im |des )?{month}s?(?: {year})?',
    '{weekday} (?:in )?{week}',
    '{week},? (?:am )?{weekday}',
    '(?:heute )?(?:in|über) {n} {unit}(?: auf den tag(?: genau)?)?',
    '{weekday} in {n} {unit}',
  ],
  periods: [
    '{day}\\.?(?:{to}){day2}\\. ?{month2}(?: {year})?',
    '{day}\\. ?{month}(?:{to}){day2}\\. ?{month2}(?: {year})?',
    '{day}\\.(?:{to}){day2}\\.{monthn2}\\.(?:{year})?',
    '{day}\\.{monthn}\\.(?:{to}){day2}\\.{monthn2}\\.(?:{year})?',
  ],
  holidays: {
    '12-24': 'heilig(?:abend|en abend)|weihnachtsabend',
    '12-25': '(?:erste[nrm]? |1\\. )?weihnachts(?:feier)?tag',
    '12-26': '(?:zweite[nrm]? |2\\. )weihnachts(?:feier)?tag',
    '12-31': 'silvester(?:abend)?',
    '01-01': 'neujahr(?:stag)?',
    '02-14': 'valentinstag',
    '12-06': 'nikolaus(?:tag)?',
    '10-03': 'tag der deutschen einheit',
    '10-31': 'halloween|reformationstag',
    '11-01': 'allerheiligen',
  },
  holiday: [
    '(?:an|am|zu|zum|bis|bis zum|seit|ab|vor|nächste[rsn]?|letzte[rsn]?|diese[rsmn]?) {holiday}',
    '^{holiday}(?= (?!ist|war|mag|liebe|hasse)\\p{L})',
  ],
  present: 'ist|sind|beginnt|findet|fängt',
  times: [
    ['halb {hour}', -30],
    ['viertel nach {hour}', 15],
    ['viertel vor {hour}', -15],
    ['dreiviertel {hour}', -15],
    ['zehn nach {hour}', 10],
    ['zehn vor {hour}', -10],
    ['zwanzig nach {hour}', 20],
    ['zwanzig vor {hour}', -20],
    ['(?<=um ){hour}(?: uhr)?(?= (?:früh|morgens|vormittags|mittags|nachmittags|abends))', 0],
    ['{hourw} uhr', 0],
    ['(?<=um )zwölf(?: uhr)?(?! uhr|\\p{L})', 720],
    ['(?<=(?:morgen|tag|woche|gestern|sonnabend) )mittag', 720],
  ],
  before: 'früh|morgens|vormittags?',
  after: 'mittags?|nachmittags?|abends?|nachts',
};
