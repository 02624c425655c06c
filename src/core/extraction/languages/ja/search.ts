export const japaneseSearch = {
  past: '以前|前は',
  negations: 'ない|ません',
};
