import { type CalendarWords, listed, listOf, nearPeriods } from '../calendar-words.ts';
import { dateRules } from '../date-rules.ts';

const portugueseCalendar: CalendarWords = {
  numbers:
    '(?:uma?) (?:dois|duas) três quatro cinco seis sete oito nove dez onze doze treze (?:quatorze|catorze) quinze',
  ordinals: 'primeir[oa] segund[oa] terceir[oa] quart[oa] quint[oa]',
  last: 'últim[oa]',
  weekdays:
    'segundas?(?:-feiras?)? terças?(?:-feiras?)? quartas?(?:-feiras?)? quintas?(?:-feiras?)? sextas?(?:-feiras?)? sábados? domingos?',
  months:
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  seasons: 'primavera|verão|outono|inverno',
  units: 'dias? semanas? m[eê]s(?:es)? anos?',
  weeks: [
    '(?:[ad]a )?(?:semana passada|passada semana)',
    '(?:d?esta|dessa) semana',
    '(?:[nd]?a )?(?:semana (?:que vem|próxima|seguinte)|próxima semana)',
    '(?:[nd]?a )?semana depois da próxima',
  ],
  to: ' ?[-–—] ?| (?:a|ao|até|até o|e o) ',
  steps: { 'depois de amanhã': 2, anteontem: -2 },
  days: [
    '{nth} {weekday} (?:de |do mês de )?{month}(?: (?:de )?{year})?',
    '{weekday},? (?:de |da )?{week}',
    '{week},? (?:na |no )?{weekday}',
    '(?:daqui a|dentro de|em) {n} {unit}(?: exat[oa]s)?',
    '{weekday} que vem',
    'próxim[oa] {weekday}',
  ],
  periods: [
    '{day}º?(?:{to}){day2}º? de {month2}(?: de {year})?',
    '{day}º? de {month}(?:{to}){day2}º? de {month2}(?: de {year})?',
  ],
  holidays: {
    '12-24': '(?:véspera|noite) de natal|consoada',
    '12-25': '(?:o )?dia de natal|natal',
    '12-31': '(?:véspera de ano[- ]novo|réveillon|passagem de ano|noite de ano[- ]novo)',
    '01-01': 'ano[- ]novo',
    '06-12': 'dia dos namorados',
    '10-31': 'halloween|dia das bruxas',
    '11-02': 'finados',
    '04-25': '25 de abril',
  },
  holiday: [
    '(?:n[oa]|para [oa]|pr[oa]|em|até o?|desde o|d[oa]|a) {holiday}',
    '^(?:[oa] )?{holiday}(?= (?!é |foi |me )\\p{L})',
  ],
  present: 'é|são|começa',
  times: [
    ['(?<=(?:às|à|as) ){hour}(?: horas?)? e meia', 30],
    ['(?<=(?:às|à) ){hour}(?: horas?)? e (?:quinze|um quarto)', 15],
    ['quinze para as? {hour}', -15],
    ['(?<=(?:às|à) ){hour} menos um quarto', -15],
    ['(?<=(?:às|à) ){hour}(?: horas?)? e dez', 10],
    ['(?<=(?:às|à) ){hour}(?: horas?)? e vinte', 20],
    ['dez para as? {hour}', -10],
    ['vinte para as? {hour}', -20],
    ['(?<=ao )meio-dia e meia', 750],
    ['(?<=ao )meio-dia', 720],
    ['(?<=(?:às|à) ){hourw}(?: horas?)?(?! e)', 0],
    ['(?<=(?:às|à) ){hour}(?:h| horas?)?(?= da (?:manhã|tarde|noite))', 0],
  ],
  before: 'da manhã|da madrugada',
  after: 'da tarde|da noite',
  anniversaries: 'aniversário',
  recurring: [
    `(?:cada|tod[oa]s?(?: (?:[oa]s?))?) (?:duas |dois |três |primeir[oa] |últim[oa] )?${listOf('(?:{weekday}|dias?|noites?|tardes?|manhãs?|semanas?|fi(?:m|ns) de semana|m[eê]s(?:es)?|trimestres?|anos?|(?:{season})s?|verões)', 'e|ou')}(?: (?:à|de) (?:noite|manhã|tarde))?`,
    `(?:às|aos|nas|nos) (?=[\\p{L}-]+s(?!\\p{L}))${listOf('(?:às |aos )?(?:{weekday}|fins de semana)', 'e|ou')}(?: (?:à|de) (?:noite|manhã|tarde))?`,
    '(?:de )?{weekday}(?: (?:a|à) | ?[-–] ?){weekday}',
  ],
  moved:
    '(?:mud|transfer|pass)(?=ou|ad|id|i|aram|ei|amos)(?!.{0,80} até )|adi(?=ad|ou|aram|ei|amos|ar(?!\\p{L}))|' +
    'remarc|reagend|antecip|posterg',
  extended: 'prorrog|prolong|estend|ampli(?=ad|ou|aram)',
  vague:
    '(?:(?:em|daqui a|há|dentro de) )?(?:alguns|algumas|uns|umas|poucos|poucas|vári[oa]s|um par de) (?:dias|semanas|meses|anos)(?: atrás)?|(?:n?o )?outro dia|qualquer dia|lá (?:pr[oa]|para [oa]|por|pel[oa]) (?:(?:começo|início|meio|fim|final) de )?\\p{L}+|um dia desses|algum dia',
  announcing: 'em|dia',
  joints: 'e|mas',
  habits: 'sempre',
  end: '(?:o )?fi(?:m|nal) d',
  yearLead: 'o ano ',
  reading: {
    last: 'passad[oa]',
    near: nearPeriods(['semana', 'm[eê]s', 'ano'], {
      last: '{} passad[oa]|passad[oa] {}',
      next: '{} (?:próxim[oa]|que vem)|próxim[oa] {}',
    }),
    beforeMonth: 'em|a|de|desde|até|para',
    ofYear: 'de|do',
    beforeYear: 'desde|em',
    dayAlone: 'dia {day}{uncounted}',
    counted: 'dias|anos|vezes',
    beforeHour: 'às',
    duration: 'por|durante|há',
    since: 'desde (?:\\p{L}+ ){1,4}(?:em|d[eo])',
    from: 'desde',
    coming: 'a partir',
    articles: 'na|no|em|o|dia',
    weekend: 'fim de semana',
    ofDay: '\\bdias\\b',
    ofWeek: 'semana',
    ofMonth: 'mês',
    dayEnd: 'º',
    today: 'hoje',
  },
};

export const portugueseDates = dateRules({
  calendar: portugueseCalendar,
  dated:
    '\\d{1,4}|ontem|anteontem|amanhã|depois de amanhã|passad[oa]s?|próxim[oa]|' +
    'que vem|há \\p{L}+ \\p{L}+|\\p{L}+ atrás|daqui a|' +
    `em (?:${listed(portugueseCalendar.numbers)}) \\p{L}+|` +
    'fim de semana',
  since: 'desde(?: o| a)?',
  starting: 'a partir d(?:e|o|a)',
  until: 'até(?: o| a| ao)?',
  from: 'de(?:sde)?|entre',
  to: 'até|a|e',
  every: 'cada|tod[oa]s?(?: [oa]s?)?',
  yearly:
    '(?:cada|todos? os?|todo) (?:\\p{L}+ )?anos?|anualmente|(?:uma vez|duas vezes) (?:por|ao) ano',
  ordinal: 'º?',
  of: 'de ',
  alone: '(?= às? |[,;.!?)]|$)',
  lead: '(?<lead>n[ao]|d[ao]|até)',
  on: '',
  between: 'o',
  movedTo: '(?:para|pr[ao]|até)(?: [ao])?(?: dia)?',
  comingDays: 'amanhã|depois de amanhã|(?:semana|mês|ano) que vem|próxim[oa] \\p{L}+',
  arranged:
    '(?:reserv|marc|agend|program|planej|plane|inscrev|remarc|compr(?=(?:ei|ou|ámos|amos|ado) (?:\\p{L}+ ){0,2}(?:bilhete|ingresso|passage)))(?:ei|ou|amos|ámos|aram|ad[oa]s?|i|eu|emos|quei)(?!\\p{L})|' +
    'marquei|remarquei|inscrit[oa]s?|previst[oa]s?|lembrou|convid(?:aram|ou|ad[oa]s?) (?:\\p{L}+ ){0,2}(?:para|pr[ao]|a)|confirmad[oa]s? para|' +
    '(?:recebi|recebemos|consegui|tenho|ganhei) (?:\\p{L}+ ){0,2}(?:consulta|convites? para|horário para)|' +
    '(?:decidi|prometi|aceitei|combinei) (?:\\p{L}+ ){0,3}\\p{L}+[aei]r(?:-l[aeo]s?)?(?!\\p{L})',
  ahead:
    'abre|fecha|chega|vem|sai|tenho que|tenho de|temos que|devo|será|terá|vai|vale|vence|termina',
  not: 'não|nao|vez|invés',
  calledOff: {
    the: 'minha|meu|nossa|nosso|a|o|sua|seu',
    of: 'do dia|de|do|para o dia|no dia|em',
    before: '(?:cancel|desmarc)(?:aram|ei|ou|ámos|amos)|desmarquei',
    behind: '(?:cancelad|desmarcad|anulad)[oa]',
    lasting: 'assinatura|contrato|conta|seguro|cartão|plano|pedido',
  },
});
