export const japaneseSearch = {
  asksLast: 'か',
  past: '以前|前は',
  negations: 'ない|ません',
};
