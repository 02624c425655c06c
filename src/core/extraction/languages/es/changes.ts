export const spanishChanges = [
  'dej[eéó] |dejado|ya no |cancelé|abandon',
  'muri|fallec',
  'vend[ií] |regal|vendid|tiré ',
  'mud(?:[éeóo]|ad|amos)|me fui',
  'cambi|en vez|en lugar',
  'ahora |desde ',
  'vuelt|otra vez',
  'rompim|hemos roto|termin',
  'odi[oaé]|no .{0,6}(?:gust|soport|encant|aguant)',
  'en realidad|se acab|al final |me equivoqu|aplaz|pospu|reprogram|anul',
].join('|');
