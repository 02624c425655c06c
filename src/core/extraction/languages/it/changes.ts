export const italianChanges = [
  'lasciat|smess|disdett|non .{0,30}più ',
  'morto |morta |mancat',
  'vendut|buttat',
  'trasferit|traslocat',
  'al posto|invece|passat|cambi',
  'adesso|ormai|ora |da quando',
  'di nuovo|ripres|ricominciat',
  'lasciati|divorziat|termin',
  'odi[oaé]|non .{0,10}(?:piac|sopport|am[oa] )',
  'in realtà|alla fine |mi sono sbagliat|è finit|spostat|rimandat|rinviat|annullat',
].join('|');
