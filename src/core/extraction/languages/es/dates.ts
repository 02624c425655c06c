import { type CalendarWords, listed, listOf, nearPeriods } from '../calendar-words.ts';
import { dateRules } from '../date-rules.ts';

const spanishCalendar: CalendarWords = {
  numbers:
    '(?:una?|uno) dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince',
  ordinals: 'primer[oa]? segund[oa] tercer[oa]? cuart[oa] quint[oa]',
  last: 'últim[oa]',
  weekdays: 'lunes martes mi[eé]rcoles jueves viernes s[aá]bado domingo',
  months:
    'enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre',
  seasons: 'primavera|verano|otoño|invierno',
  units: 'd[ií]as? semanas? mes(?:es)? años?',
  weeks: [
    '(?:la )?semana pasada|la pasada semana',
    'esta semana',
    '(?:la )?(?:semana (?:que viene|próxima|que entra)|próxima semana)',
    '(?:la )?semana siguiente',
  ],
  to: ' ?[-–—] ?| (?:al?|hasta|hasta el|y el) ',
  steps: { 'pasado mañana': 2, 'anteayer|antes de ayer': -2 },
  days: [
    '{nth} {weekday} (?:del? )?(?:mes de )?{month}(?: del? {year})?',
    '{weekday},? (?:de )?{week}',
    '{week},? (?:el )?{weekday}',
    '(?:dentro de|en|de aquí a) {n} {unit}(?: exact[oa]s)?(?! por)',
    '{weekday} que viene',
    'próximo {weekday}',
  ],
  periods: [
    '{day}(?:{to}){day2} de {month2}(?: del? {year})?',
    '{day} de {month}(?:{to}){day2} de {month2}(?: del? {year})?',
  ],
  holidays: {
    '12-24': 'nochebuena',
    '12-25': '(?:el )?día de navidad|navidad',
    '12-31': 'nochevieja|fin de año|año viejo',
    '01-01': 'año nuevo',
    '01-06': '(?:el )?día de reyes|reyes(?: magos)?',
    '02-14': 'san valentín',
    '10-31': 'halloween',
    '11-01': 'todos los santos',
    '06-24': 'san juan',
  },
  holiday: [
    '(?:en|para|por|el|la|hasta|desde|el día de) {holiday}',
    '^{holiday}(?= (?!es |son |fue |me )\\p{L})',
  ],
  present: 'es|son|empieza|comienza',
  times: [
    ['(?:(?<=a )las? )?{hour} y media', 30],
    ['(?<=las? ){hour} y cuarto', 15],
    ['(?<=las? ){hour} menos cuarto', -15],
    ['cuarto para las? {hour}', -15],
    ['(?<=las? ){hour} y diez', 10],
    ['(?<=las? ){hour} y veinte', 20],
    ['(?<=las? ){hour} menos diez', -10],
    ['(?<=las? ){hour} menos veinte', -20],
    ['(?<=al? )mediodía', 720],
    ['(?<=a las? ){hourw}(?! (?:y|menos))', 0],
    ['(?<=a las? ){hour}(?= de la (?:mañana|tarde|noche))', 0],
  ],
  before: 'de la mañana|de la madrugada',
  after: 'de la tarde|de la noche',
  anniversaries: 'cumpleaños',
  recurring: [
    `(?:cada|tod[oa]s l[oa]s) (?:dos |tres |primer |último )?${listOf('(?:{weekday}s?|días?|noches?|tardes?|mañanas?|semanas?|fin(?:es)? de semana|mes(?:es)?|trimestres?|años?|(?:{season})s?)', 'y|o')}(?: por la (?:noche|mañana|tarde))?`,
    `los ${listOf('(?:los )?(?:{weekday}s?|fines de semana)', 'y|o')}(?: por la (?:noche|mañana|tarde))?`,
    '(?:de )?{weekday}(?: a | ?[-–] ?){weekday}|entre semana',
  ],
  moved:
    '(?:cambi|mov)(?=ad|id|ó|ió|aron|ieron|é|í|amos|imos|a(?:n|mos)?(?!\\p{L}))(?!.{0,80} hasta )|aplaz|posp[ou]|' +
    'posterg|reprogram|retras(?!o)|adelant(?!e(?!\\p{L}))',
  extended: 'prorrog|prolong|ampli(?=ad|ó|aron|é)|extend',
  vague:
    '(?:en|dentro de|hace|desde hace) (?:un[oa]s(?: cuant[oa]s| poc[oa]s)?|algun[oa]s|vari[oa]s|poc[oa]s) (?:días|semanas|meses|años)|el otro día|algún día|un día de estos',
  announcing: 'el|del|al',
  joints: 'y|pero',
  habits: 'siempre',
  end: 'fin(?:ales)? d',
  yearLead: 'el año ',
  reading: {
    last: 'pasad[oa]',
    near: nearPeriods(['semana', 'mes', 'año'], {
      last: '{} pasad[oa]|pasad[oa] {}',
      next: '{} (?:próxim[oa]|que viene)|próxim[oa] {}',
    }),
    beforeMonth: 'en|de|desde|hasta',
    ofYear: 'del?',
    beforeYear: 'desde|en',
    dayAlone: '(?:el|del|al)(?: día)? {day}{uncounted}',
    counted: 'd[ei] \\p{L}|por|h(?:oras?)?(?!\\p{L})|días|mes|años|veces|met|este|prim',
    duration: 'durante|desde hace|por',
    since: 'desde (?:\\p{L}+ ){1,4}(?:en|del?)',
    from: 'desde',
    coming: 'a partir',
    articles: 'el|del|día',
    weekend: 'fin de semana',
    ofDay: '\\bd[ií]as\\b',
    ofWeek: 'semana',
    ofMonth: '\\bmes(?:es)?\\b',
    dayEnd: 'º',
    today: 'hoy',
  },
};

export const spanishDates = dateRules({
  calendar: spanishCalendar,
  dated:
    '\\d{1,4}|ayer|anteayer|mañana|pasado mañana|pasad[oa]s?|próxim[oa]|' +
    'que viene|hace \\p{L}+ \\p{L}+|dentro de|' +
    `en (?:${listed(spanishCalendar.numbers)}) \\p{L}+|` +
    'fin de semana',
  since: 'desde(?: el| la)?',
  starting: 'a partir de(?:l)?',
  until: 'hasta(?: el| la)?',
  from: 'desde|del?|entre',
  to: 'hasta|al?|y',
  beforeHour: /(?<=\d) (?=a las? \d)/giu,
  every: 'cada|tod[oa]s l[oa]s',
  yearly: '(?:cada|todos los) (?:\\p{L}+ )?años?|anualmente|(?:una vez|dos veces) al año',
  ordinal: '(?:º)?',
  of: 'de ',
  alone: '(?= a las? |[,;.!?)]|$)',
  lead: '(?<lead>el|del|al|este)',
  on: 'el ',
  between: 'el|día',
  movedTo: '(?:al?|hasta|para)(?: el| la)?(?: día)?',
  comingDays:
    'mañana|pasado mañana|(?:la semana|el mes|el año) (?:que viene|próxim[oa])|(?:próxim[oa]) \\p{L}+',
  arranged:
    '(?:reserv|program|agend|planific|concert|apunt|inscrib|inscrit|anot)(?:é|ó|amos|aron|ad[oa]s?|o|í|ió|imos|os?|as?)(?!\\p{L})|' +
    '(?:previst|fijad|inscrit|suscrit|confirmad)[oa]s?|invit(?:aron|ó|ado|ada|ados) (?:a|para)|' +
    '(?:dieron|dado|conseguí|conseguido|recibí|recibido|tengo|pedí|pedido) (?:\\p{L}+ ){0,2}(?:cita|turno|hora|(?:invitación|invitaciones) para)|' +
    '(?:decid|promet)(?:í|imos|ido) (?:\\p{L}+ ){0,2}\\p{L}+[aei]r(?:l[aeo]s?|me|se)?(?!\\p{L})|(?:sacado|comprado|compré|compramos|saqué|sacamos) (?:\\p{L}+ ){0,2}(?:entradas?|billetes?|boletos?)|recordó|recordado',
  ahead:
    'abre|cierra|llega|viene|sale|tengo que|tenemos que|debo|será|tendrá|va a|vale|caduca|vence|termina',
  not: 'no|lugar',
  calledOff: {
    the: 'mi|nuestra|nuestro|la|el|su',
    of: 'del?|para el',
    before: '(?:cancel|anul)(?:aron|é|ó|amos|ado)',
    behind: '(?:cancelad|anulad|suspendid)[oa]',
    lasting: 'suscri|contrato|cuenta|seguro|tarjeta|pedido',
  },
});
