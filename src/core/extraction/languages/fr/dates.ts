import { type CalendarWords, listed, listOf, nearPeriods } from '../calendar-words.ts';
import { dateRules } from '../date-rules.ts';

const at = '(?<=(?:à|vers|dès|avant) )';

const frenchCalendar: CalendarWords = {
  numbers: 'une? deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze',
  ordinals: '(?:premi(?:er|ère)|1er) (?:deuxième|seconde?) troisième quatrième cinquième',
  last: 'derni(?:er|ère)',
  weekdays: 'lundi mardi mercredi jeudi vendredi samedi dimanche',
  months:
    'janvier|janv\\.? février|févr?\\.? mars avril mai juin juillet août septembre|(?<=^|\\d\\s)sept\\.? octobre|oct\\.? novembre|nov\\.? décembre|déc\\.?',
  seasons: 'printemps|étés?|automnes?|hivers?',
  units: 'jours? semaines? mois (?:ans?|années?)',
  weeks: [
    'la semaine (?:dernière|passée)',
    'cette semaine',
    'la semaine prochaine|semaine prochaine',
    "la semaine d[’']après",
  ],
  to: " ?[-–—] ?| (?:au|à|et le|jusqu[’']au) ",
  steps: {
    'avant-hier': -2,
    'après-demain': 2,
    'dans (?:une )?huitaine(?: de jours)?': 7,
    'dans (?:une )?quinzaine(?: de jours)?': 14,
  },
  days: [
    "{nth} {weekday} (?:de |d[’']|du mois de )?{month}(?: {year})?",
    '{weekday} (?:de )?{week}',
    '{week},? (?:le )?{weekday}',
    "(?:dans|d[’']ici) {n} {unit}(?: jour pour jour)?",
    '{weekday} en huit{later}',
  ],
  periods: [
    '{day}(?:er)?(?:{to}){day2}(?:er)? {month2}(?: {year})?',
    '{day}(?:er)? {month}(?:{to}){day2}(?:er)? {month2}(?: {year})?',
  ],
  holidays: {
    '12-24': '(?:réveillon|veille) de noël',
    '12-25': '(?:le )?jour de noël|noël',
    '12-31':
      "(?:réveillon|veille) (?:du (?:nouvel an|jour de l[’']an)|de la saint-sylvestre)|(?:la )?saint-sylvestre",
    '01-01': "(?:premier|jour) de l[’']an|nouvel an",
    '02-14': 'saint-valentin',
    '07-14': '14[- ]juillet|fête nationale',
    '08-15': 'assomption',
    '11-01': 'toussaint',
    '10-31': 'halloween',
  },
  holiday: [
    "(?:à|pour|à la|pour la|le|pour le|le soir du|jusqu[’']à|depuis|dès|au|du|à l[’']) {holiday}",
    "^(?:à |la )?{holiday}(?=,| (?:on|nous|je|j[’']|il|elle))",
  ],
  present: 'est|sont|commence|débute|a lieu',
  times: [
    [`${at}{hour} ?h(?:eures?)? et demie?`, 30],
    [`${at}{hour} ?h(?:eures?)? et quart`, 15],
    [`${at}{hour} ?h(?:eures?)? moins le quart`, -15],
    [`${at}{hour} ?h(?:eures?)? moins dix`, -10],
    [`${at}{hour} ?h(?:eures?)? moins vingt`, -20],
    [`${at}{hour} ?h(?:eures?)? dix(?!-)`, 10],
    [`${at}{hour} ?h(?:eures?)? vingt(?!-)`, 20],
    [`${at}midi et demie?`, 750],
    [`${at}midi`, 720],
    [`${at}{hourw} heures?`, 0],
    [`${at}{hour} ?h(?:eures)?(?= (?:du (?:matin|soir)|de l))`, 0],
  ],
  before: 'du matin',
  after: "du soir|de l[’']après-midi",
  anniversaries: 'anniversaire',
  recurring: [
    `(?:chaque|tou(?:te)?s les) (?:premiers? |deuxièmes? |deux |trois )?${listOf('(?:{weekday}s?|jours?|nuits?|soirs?|matins?|semaines?|week-ends?|mois|trimestres?|ans?|années?|{season})', 'et|ou')}(?: (?:soirs?|matins?|midis?|après-midis?))?`,
    `les ${listOf('(?:les )?{weekday}s?', 'et|ou')}(?: (?:soirs?|matins?|midis?|après-midis?))?`,
    `le ${listOf('(?:le )?{weekday}', 'et|ou')}(?: (?:soir|matin|midi|après-midi))?(?! (?:\\d|prochain|dernier|suivant|passé|de la semaine))`,
    '(?:du )?{weekday}(?: (?:au|à) | ?[-–] ?){weekday}|en semaine',
  ],
  moved:
    '(?:déplac|avanc|chang|report|décal|repouss|différ)(?=é|er(?!\\p{L})|e(?:nt)?(?!\\p{L})|ons)|remise?s?(?= (?:à|au) )',
  extended: 'prolong(?=é|er|e)|prorog(?=é|er)|étend|rallong',
  vague:
    "(?:dans|il y a|depuis|d['’]ici) (?:quelques|plusieurs) (?:jours|semaines|mois|ans|années)|l['’]autre jour|un (?:jour|de ces jours)",
  announcing: 'le|du|au',
  joints: 'et|mais',
  habits: 'toujours',
  end: 'la fin|fin d',
  yearLead: "l[’']année ",
  reading: {
    last: 'derni(?:er|ère)',
    near: nearPeriods(['semaine', 'mois', 'an|année'], {
      last: '{} derni(?:er|ère)',
      next: '{} prochaine?|prochaine? {}',
    }),
    beforeMonth: "en|de|d'|depuis|dès",
    beforeYear: 'depuis|en',
    dayAlone: '(?:le|du|au|dès le|depuis le) {day}{uncounted}',
    counted:
      'pour|cent|h(?:eures?)?(?!\\p{L})|min|jours|sem|mois|ans|fois|kil|km|m(?!\\p{L})|mèt|' +
      'euro|person|prem',
    beforeHour: 'à',
    duration: 'pendant|depuis',
    since: "depuis(?: (?:le |la |mon |ma |l[’'])(?:\\p{L}+ ){1,3}(?:en|de|du))?",
    coming: 'à partir',
    articles: "de|du|le|la|l['’]",
    weekend: 'week-end',
    ofDay: '\\bjours?\\b',
    ofWeek: 'semaine',
    ofMonth: 'mois',
    today: 'aujourd',
  },
};

export const frenchDates = dateRules({
  calendar: frenchCalendar,
  dated:
    '\\d{1,4}(?:er)?|hier|avant-hier|demain|après-demain|derni(?:er|ère)|prochaine?|il y a|' +
    'week-end|' +
    `dans (?:${listed(frenchCalendar.numbers)}) \\p{L}+`,
  since: "depuis(?: le| la| l[’'])?",
  starting: "à partir (?:de|du|d[’'])|dès",
  until: "jusqu[’'](?:à la|à|en|aux?)",
  from: 'du|de|entre',
  to: "jusqu[’'](?:en|à|au)|à|au|et",
  beforeHour: /(?<=\d) (?=(?:à|vers|dès) \d{1,2} ?[h:])/giu,
  every: 'chaque|tous les(?: mois de)?',
  yearly:
    'tous les (?:\\p{L}+ )?ans|chaque année|toutes les années|(?:une|deux) fois par an|annuellement',
  ordinal: '(?:er)?',
  of: '',
  alone: '(?= (?:à|vers|dès)(?!\\p{L})|[,;.!?)]|$)',
  lead: '(?<lead>le|du|au|ce)',
  on: 'le ',
  between: 'le',
  movedTo: "(?:jusqu[’'])?(?:à|aux?|pour)(?: la| le)?",
  comingDays: 'demain|après-demain|(?:semaine|mois|année) prochaine?|début|mi-|fin',
  arranged:
    '(?:réserv|planifi|programm|prév|inscri|pris rendez|pris (?:un |des |le |les )?(?:rdv|billet)|' +
    '(?:re)?report|fix|confirm|invit(?=é))(?:és?|ées?|us?|ues?|ts?|tes?|e|ons|ent|\\p{L}{0,3})(?!\\p{L})|rappel(?:é|le)|' +
    '(?:reçu|obtenu|eu|donné|acheté) (?:\\p{L}+ ){0,2}(?:rendez-vous|rdv|convocation pour|invitation pour|(?:billets?|places?) (?:\\p{L}+ ){0,4}(?:pour|du))|' +
    '(?:décidé|accepté|promis|convenu) (?:\\p{L}+ ){0,3}de \\p{L}+(?:er|ir|re)',
  arrangedWhole: '^(?:le|pour le) \\d.{0,60}(?:est|sont) (?:réservé|prévu|programmé|planifié)',
  ahead:
    'commence|débute|se termine|vient|arrive|ouvre|ferme|doit|dois|devons|vais|va|allons|sera|aura lieu',
  not: 'pas|plus|lieu',
  calledOff: {
    the: 'mon|ma|notre|le|la|son|sa',
    of: 'du|de',
    before: 'annulée?|annulent|annule',
    behind: 'annulée?|supprimée?',
    lasting: 'abonn|contrat|compte|carte|assur|commande',
  },
});
