import { type CalendarWords, listOf, nearPeriods } from '../calendar-words.ts';
import { dateRules } from '../date-rules.ts';

const last = 'letzten?[mrs]?|vorigen?[mrs]?|vergangenen?[mrs]?';

const germanCalendar: CalendarWords = {
  numbers:
    'eine[nrm]?|ein|eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn',
  ordinals:
    'erste[nrms]?|1\\. zweite[nrms]?|2\\. dritte[nrms]?|3\\. vierte[nrms]?|4\\. fünfte[nrms]?|5\\.',
  last: 'letzte[nrms]?',
  weekdays: 'montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag',
  months:
    'januar|jänner|(?<=^|\\d\\.?\\s?)jan feb(?:ruar)? märz apr(?:il)? mai juni? juli? aug(?:ust)? sept?(?:ember)? okt(?:ober)? nov(?:ember)? dez(?:ember)?',
  seasons: 'frühling|frühjahr|sommer|herbst|winter',
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
  present: 'ist|sind|beginnt|findet|fängt|stattfindet|startet|anfängt|losgeht',
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
  anniversaries: 'geburtstag',
  recurring: [
    `jede[nrsm]? (?:zweite[nrsm]? |dritte[nrsm]? |ersten? |letzten? )?${listOf('(?:{weekday}|tage?|nacht|abend|morgen|werktag|woche|wochen|wochenende|monate?|quartal|jahre?|{season})', 'und|oder')}(?:abend|morgen|nachmittag)?`,
    `${listOf('{weekday}(?:abend|morgen|nachmittag|vormittag)?s', 'und|oder')}(?: (?:abends|morgens|nachmittags|vormittags))?`,
    '{weekday} (?:abends|morgens|nachmittags|vormittags|nachts)',
    `(?:immer|meistens|stets) (?:am )?${listOf('{weekday}', 'und|oder')}`,
    '(?:von )?{weekday}(?: bis | ?[-–] ?){weekday}',
    'alle (?:\\p{L}+ |\\d+ )?(?:tage?|nacht|abend|morgen|werktag|woche|wochen|wochenende|monate?|quartal|jahre?|{season})n?|an (?:wochentagen|werktagen|wochenenden)|werktags|wochentags',
  ],
  moved:
    'verschob|verschieb|(?:vor|nach)?verleg|vorgezogen|vorzieh|(?:zieh|zog)(?=\\p{L}{0,3} .{0,80} vor)',
  extended: 'verlänger(?!ung)',
  vague:
    '(?:in|vor|seit|nach) (?:ein paar|einigen?|mehreren?|wenigen?) (?:tagen|wochen|monaten|jahren)|neulich|eines tages|irgendwann',
  announcing: 'am|den',
  joints: 'und|aber',
  habits: 'immer|meistens',
  end: 'ende',
  yearLead: 'dem jahr |jahr ',
  reading: {
    last,
    near: nearPeriods(['woche', 'monats?', 'jahre?s?'], {
      last: `(?:${last}) {}`,
      next: '(?:nächsten?[mrs]?|kommenden?[mrs]?) {}',
    }),
    beforeMonth: 'im|in|in den|auf|auf den|seit|ab|bis',
    beforeYear: 'in|im jahr|seit',
    dayAlone:
      '(?:am|zum|bis zum|auf den|vom|ab dem|seit dem) {day}\\.(?! ?\\d)' +
      '(?! (?:{month}|geburtstag|jahrestag|hochzeitstag|stock|platz|tag|mal|kilometer))',
    duration: 'seit|für|während',
    since: 'seit(?: (?:de[rm]|meine[mr]) (?:\\p{L}+ ){1,3}(?:i[mn]|am|vom|letzten))?',
    coming: 'ab',
    articles: 'dem|den|der|am|statt am',
    weekend: 'wochenende',
    ofDay: '\\btage?n?\\b',
    ofWeek: 'woche(?!nende)',
    ofMonth: 'monat',
    today: 'heute',
  },
};

export const germanDates = dateRules({
  calendar: germanCalendar,
  dated:
    '\\d{1,4}\\.?|gestern|vorgestern|morgen|übermorgen|(?:letzte|nächste|' +
    'vorige|kommende|diese)[rnms]? \\p{L}+|vor \\p{L}+ \\p{L}+|in \\p{L}+ (?:tagen|' +
    'wochen|monaten|jahren)|wochenende',
  since: 'seit(?:dem)?(?: dem| der)?',
  starting: 'ab(?: dem| sofort)?',
  until: 'bis(?: zum| zur| ins?)?',
  from: 'vo[mn]|zwischen',
  to: 'bis(?: zum)?|und',
  shortWeekdays: '(?:mo|di|mi|do|fr|sa|so)(?=[.,])',
  every: 'jede[nrsm]?|immer im',
  yearly:
    'jedes (?:(?:zweite )?jahr|weihnachten|ostern)|alle (?:\\p{L}+ )?jahre|jährlich|(?:einmal|zweimal) (?:im|pro) jahr',
  ordinal: '\\.?',
  of: '',
  alone: '\\.(?! ?\\d)',
  lead: '(?<lead>am|zum|vom|ab|seit|bis)',
  on: 'am ',
  between: 'de[mnr]',
  movedTo: '(?:auf|in|bis zum|bis)(?: de[nm]| die| das)?',
  comingDays: 'morgen|übermorgen|(?:über)?nächste[nrs]? \\p{L}+|kommende[nrs]? \\p{L}+',
  movedBehind: 'verschoben|verlängert|(?:vor)?verlegt|vorgezogen',
  arranged:
    '(?:buch|reservier|plan|vereinbar|verschob|verleg)(?:te|ten)(?!\\p{L})|meldet?e? (?:mich|uns)|' +
    '(?:mich|uns|sich) (?:\\p{L}+ ){0,3}für (?!\\d|den \\d)',
  // "Ich habe am 3. März gebucht" tells of the day on which it was done.
  arrangedWhole:
    '^(?!(?:am|im|letzte[nrm]?) |.{0,30}(?<!\\p{L})(?:habe?n?|hat|hatten?) ' +
    '(?:(?:ich|wir|mich|uns|sich|er|sie) )?(?:es |ihn |sie )?am \\d).{0,200}(?<!\\p{L})' +
    '(?:(?:vor)?gebucht|(?:vor)?reserviert|geplant|eingeplant|angesetzt|angemeldet|vereinbart|' +
    'ausgemacht|eingetragen|vorgemerkt|erinnert|karten (?:\\p{L}+ ){0,4}(?:am |\\d{1,2}\\. |\\p{L}+ ){0,3}gekauft|eingeladen|' +
    'für den [^,;!?]{2,20} (?:festgelegt|festgesetzt|bestätigt)|(?:einladung|termin) (?:\\p{L}+ ){0,3}(?:am|für den) [^,;!?]{2,20} (?:bekommen|erhalten|gekriegt))(?!\\p{L})' +
    // "Ich habe beschlossen, am 31. Mai zu kündigen".
    '|^(?:am|bis|im|ab) [^,;!?]{2,40} (?:zu \\p{L}+en|\\p{L}{2,5}zu\\p{L}{3,20}en)(?!\\p{L})',
  not: 'nicht|statt|anstatt|anstelle',
  calledOff: {
    the: 'mein|meine|meinen|unser|unsere|unseren|der|die|das|den|sein|seinen|ihr|ihren',
    of: 'am|vom|für den|im',
    before: 'absag|storniert(?:e|en)|(?:cancel|strich)(?:t?en?)?|(?:sage|sagt)n?',
    behind: 'abgesagt|storniert|gecancelt|gestrichen|aus(?:gefallen)?|abgeblasen',
    lasting: 'abo|mitglied|vertrag|konto|versicherung|karte',
  },
});
