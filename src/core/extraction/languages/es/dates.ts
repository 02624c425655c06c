import type { CalendarWords } from '../calendar-words.ts';

export const spanishCalendar: CalendarWords = {
  numbers:
    '(?:una?|uno) dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince',
  ordinals: 'primer[oa]? segund[oa] tercer[oa]? cuart[oa] quint[oa]',
  last: 'últim[oa]',
  weekdays: 'lunes martes mi[eé]rcoles jueves viernes s[aá]bado domingo',
  months:
    'enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre',
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
};
