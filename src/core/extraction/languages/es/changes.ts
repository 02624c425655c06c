import type { ChangeWords } from '../change-words.ts';

export const spanishChanges: ChangeWords = {
  ended: 'dej[eéó] |dejado|ya no |cancelé|abandon',
  died: 'muri|fallec',
  sold: 'vend[ií] |regal|vendid|tiré ',
  moved: 'mud[éeóo]|mudad|me fui',
  rehomed: 'mud(?:é|ei|amos|ou|aram) |mudado',
  changed: 'cambi|en vez|en lugar',
  now: 'ahora |desde ',
  again: 'vuelt|otra vez',
  parted: 'rompim|hemos roto|termin',
  other: 'mi (?:herman|madre|padre|amig|vecin|prim|tí[oa]|hij|jef|compañer)',
  once: 'hoy |ayer |esta semana|esta vez|este (?:lunes|martes|jueves|viernes)',
  also: 'también|además',
  likes: 'gust[aóo]|encant|prefier',
  dislikes: 'odi[oaé]|no .{0,6}(?:gust|soport|encant|aguant)',
  not: 'nunca ',
  lives: 'viv[oe] ',
  works: 'trabaj',
  has: 'tiene |tengo ',
  uses: 'us[oa] |utilizo |utiliza ',
  plans: 'viaj|vuelo|cita ',
};
