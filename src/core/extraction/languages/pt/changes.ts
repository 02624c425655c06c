export const portugueseChanges = [
  'parei|deixei|larguei|cancelei|não .{0,30}mais ',
  'morreu|faleceu',
  'vendi |doei',
  'mud(?:[éeóo]|ad|amos|aram)',
  'troquei|mudei|em vez',
  'agora',
  'voltei|de novo',
  'termin',
  'odei|não .{0,6}(?:gost|suport)',
  'na verdade|afinal |acabou |me enganei|enganei-me|adiad|adiou|adiei|remarcad|cancelad',
].join('|');
