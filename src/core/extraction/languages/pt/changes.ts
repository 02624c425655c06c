import type { ChangeWords } from '../change-words.ts';

export const portugueseChanges: ChangeWords = {
  ended: 'parei|deixei|larguei|cancelei|não .{0,30}mais ',
  died: 'morreu|faleceu',
  sold: 'vendi |doei',
  moved: 'mud[éeóo]|mudad',
  rehomed: 'mud(?:é|ei|amos|ou|aram) |mudado',
  changed: 'troquei|mudei|em vez',
  now: 'agora',
  again: 'voltei|de novo',
  parted: 'termin',
  other: '(?:meu|minha) (?:irmã|mãe|pai|amig|vizinh|prim|ti[oa]|filh|colega|chefe)',
  once: 'hoje |ontem |essa semana|dessa vez|desta vez',
  also: 'também|além',
  likes: 'gost',
  dislikes: 'odei|não .{0,6}(?:gost|suport)',
  not: 'não ',
  lives: 'mor[ao] ',
  works: 'trabalh',
  has: 'tem uma? |tenho ',
  uses: 'us[oa] |utilizo |utiliza ',
  plans: 'viagem|voo |consulta ',
};
