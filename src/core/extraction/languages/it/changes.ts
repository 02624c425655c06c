import type { ChangeWords } from '../change-words.ts';

export const italianChanges: ChangeWords = {
  ended: 'lasciat|smess|disdett|non .{0,30}più ',
  died: 'morto |morta |mancat',
  sold: 'vendut|buttat',
  moved: 'trasferit|traslocat',
  rehomed: 'trasferit|traslocat',
  changed: 'al posto|invece|passat|cambi',
  now: 'adesso|ormai|ora |da quando',
  again: 'di nuovo|ripres|ricominciat',
  parted: 'lasciati|divorziat|termin',
  other: '(?:mio|mia) (?:fratello|sorella|madre|padre|amic|vicin|cugin|zi[oa]|figli|colleg|capo)',
  once: 'oggi |ieri |questa settimana|stavolta',
  also: 'anche |pure |inoltre',
  likes: 'piac|am[oa] ',
  dislikes: 'odi[oaé]|non .{0,10}(?:piac|sopport|am[oa] )',
  not: 'mai |non ',
  lives: 'abit[oa] |viv[oe] ',
  works: 'lavor',
  has: 'ha una? |ho una? ',
  uses: 'us[oa] ',
  plans: 'viagg|volo |appuntament',
};
